import jax
from plum import dispatch


@dispatch
def join(pair: tuple):
    return pair[0] * 2


@jax.jit
def total(a):
    return join((a, 1))
