import jax
from kinds import Box
from plum import dispatch


@dispatch
def measure(b: object):
    return b.content * 2


@jax.jit
def total(a):
    return measure(Box(a))
