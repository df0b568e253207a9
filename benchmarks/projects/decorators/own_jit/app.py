import jax
from plum import dispatch
from tools import compiled


@dispatch
def area(a: jax.Array):
    return a * 2


@compiled
def total(a):
    return area(a)
