import jax
from plum import dispatch


@dispatch
def kernel(a: jax.Array):
    return a * 2


@dispatch
def other(a: jax.Array):
    return a * 3
