import jax
from plum import dispatch


@dispatch
def power(a: jax.Array):
    return a * 3
