import jax
from plum import dispatch
from inner import inner


@dispatch
def outer(a: int):
    return inner(a) + 1


@dispatch
def outer(a: jax.Array):
    return a
