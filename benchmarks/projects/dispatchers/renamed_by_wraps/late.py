import jax
from plum import dispatch
from tools import noisy


@dispatch
@noisy
def area(a: jax.Array):
    return a * 3
