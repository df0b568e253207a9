import jax
from . import dispatch


@dispatch
def matmul(a: jax.Array, b: jax.Array):
    return a * b * 2
