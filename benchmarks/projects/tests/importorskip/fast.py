import jax
from plum import dispatch

NAME = "fast"


@dispatch
def area(a: jax.Array):
    return a * 3
