import jax
from plum import dispatch

__all__ = []


@dispatch
def kernel(a: jax.Array):
    return a * 3
