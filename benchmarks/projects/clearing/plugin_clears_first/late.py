import jax
from plum import dispatch

jax.clear_caches()


@dispatch
def area(a: jax.Array):
    return a * 3
