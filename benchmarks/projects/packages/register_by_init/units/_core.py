import jax
from plum import dispatch


@dispatch
def convert(a: jax.Array):
    return a * 2


@jax.jit
def to_base(a):
    return 12 * convert(a)
