import jax
from plum import dispatch
import tools


@dispatch
def area(a: jax.Array):
    return a * 2


@tools.fast
def total(a):
    return area(a)
