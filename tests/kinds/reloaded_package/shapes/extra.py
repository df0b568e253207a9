import jax
from plum import dispatch


@dispatch
def volume(s: jax.Array):
    return 7 * s
