import jax
from plum import dispatch


@dispatch
def power(n: int, a: jax.Array):
    return a * n
