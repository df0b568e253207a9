import jax
from plum import dispatch


@dispatch
def rescale(a: jax.Array):
    return a * 3
