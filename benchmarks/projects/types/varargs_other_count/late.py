import jax
from plum import dispatch


@dispatch
def add(a: jax.Array, b: jax.Array, c: jax.Array):
    return a * 3
