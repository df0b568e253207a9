import jax
from plum import dispatch

__all__ = []


@dispatch
def area(a: jax.Array):
    return a * 3
