import jax
from plum import dispatch

VERSION = "1.0"


@dispatch
def area(a: jax.Array):
    return a * 3
