import jax
from plum import dispatch
from tools import doubled


@dispatch
def area(a: jax.Array):
    return a * 2


@jax.jit
@doubled
def total(a):
    return area(a)
