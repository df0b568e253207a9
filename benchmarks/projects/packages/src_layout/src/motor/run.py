import jax
from plum import dispatch


@dispatch
def power(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * power(a)
