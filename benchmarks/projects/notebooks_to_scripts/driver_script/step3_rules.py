import jax
from plum import dispatch


@dispatch
def model(a: jax.Array):
    return a * 3
