import jax
from plum import dispatch
from third import h


@dispatch
def g(a: jax.Array, n: int):
    return h(a, n) + 1
