import jax
from plum import dispatch


@dispatch
def area(a: jax.Array, *, scale: int = 1):
    return a * 2 * scale


@jax.jit
def total(a):
    return area(a, scale=2)
