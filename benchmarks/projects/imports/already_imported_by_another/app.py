import helper  # noqa: F401
import jax
from plum import dispatch
import jax


@dispatch
def area(a: jax.Array):
    return a * 2


import late_user  # noqa: F401


@jax.jit
def total(a):
    return 12 * area(a)
