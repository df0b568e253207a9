import jax
from plum import dispatch


@dispatch
def power(a: jax.Array, n: str):
    return a * 3
