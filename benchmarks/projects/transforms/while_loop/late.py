import jax
from plum import dispatch


@dispatch
def limit(a: jax.Array):
    return 100.0
