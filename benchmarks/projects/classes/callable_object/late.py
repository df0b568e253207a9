import jax
from plum import dispatch


@dispatch
def activate(a: jax.Array):
    return a * 3
