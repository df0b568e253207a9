import jax
from plum import dispatch


@dispatch.multi((jax.Array,), (int,))
def area(a):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)
