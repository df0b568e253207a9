import jax
from plum import dispatch


@dispatch
def shift(a: jax.Array, by: None):
    return a * 3
