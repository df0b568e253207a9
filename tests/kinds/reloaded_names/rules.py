import jax
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return s


@jax.jit
def price(s):
    return 2 * area(s)
