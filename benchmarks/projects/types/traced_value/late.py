import jax
from plum import dispatch


@dispatch
def power(a: jax.Array, n: int):
    return a * 3
