import jax
from plum import dispatch
from helpers import count


@dispatch
def power(a: jax.Array, n: object):
    return a * 2


@jax.jit
def total(a):
    return power(a, count(a))
