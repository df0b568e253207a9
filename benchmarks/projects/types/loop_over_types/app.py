import jax
from plum import dispatch


@dispatch
def area(a: object):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)
