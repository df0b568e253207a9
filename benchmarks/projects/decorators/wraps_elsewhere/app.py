import jax
from plum import dispatch
from tools import logged


@dispatch
def area(a: jax.Array):
    return a * 2


@logged
@jax.jit
def total(a):
    return area(a)
