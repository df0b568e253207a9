import jax
from plum import dispatch
from tools import jit


@dispatch
def area(a: jax.Array):
    return a * 2


@jit
def total(a):
    return area(a)


@jax.jit
def other(a):
    return a + 1
