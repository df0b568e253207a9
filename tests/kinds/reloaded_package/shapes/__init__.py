import jax
from plum import dispatch

from shapes import extra


@dispatch
def area(s: jax.Array):
    return s
