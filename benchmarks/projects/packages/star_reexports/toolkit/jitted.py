import jax
from .functions import area

__all__ = ["total"]


@jax.jit
def total(a):
    return 12 * area(a)
