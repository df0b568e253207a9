import jax
from plum import dispatch


@dispatch
def inner(a: int):
    return a * 3


@dispatch
def inner(a: jax.Array):
    return a * 3
