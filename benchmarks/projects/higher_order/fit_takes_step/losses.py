import jax
from plum import dispatch


@dispatch
def loss(a: jax.Array):
    return a * 2
