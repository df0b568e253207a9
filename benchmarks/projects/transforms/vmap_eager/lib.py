import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


def total(a):
    return area(a)


@jax.jit
def other(a):
    return a + 1
