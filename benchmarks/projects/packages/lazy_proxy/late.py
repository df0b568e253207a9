import jax
from plum import dispatch

NAME = "late"


@dispatch
def area(a: jax.Array):
    return a * 3
