import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@dispatch
def other(a: jax.Array):
    return a + 1


@jax.jit
def total(a):
    return 12 * area(a)


@jax.jit
def turned(a):
    return other(a)
