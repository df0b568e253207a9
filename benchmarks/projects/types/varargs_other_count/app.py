import jax
from plum import dispatch


@dispatch
def add(*terms: jax.Array):
    return terms[0] * 2


@jax.jit
def total(a):
    return add(a, a)
