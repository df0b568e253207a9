"""What the notebooks beside it run and import."""

import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)
