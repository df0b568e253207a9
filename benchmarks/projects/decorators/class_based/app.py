import jax
from plum import dispatch
from tools import Compiled


@dispatch
def area(a: jax.Array):
    return a * 2


@Compiled
def total(a):
    return area(a)
