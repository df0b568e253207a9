import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)


@jax.jit
def other(a):
    return a + 1
