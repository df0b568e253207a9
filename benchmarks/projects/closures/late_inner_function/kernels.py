import jax
from plum import dispatch


@dispatch
def kernel(a: jax.Array):
    return a * 2


@jax.jit
def run(a):
    return 12 * kernel(a)
