import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@dispatch
def width(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)


@jax.jit
def across(a):
    return 12 * width(a)
