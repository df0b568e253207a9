import jax
from plum import dispatch


@dispatch
def norm(a: jax.Array):
    return a * 2


@jax.jit
def distance(a):
    return 12 * norm(a)
