import jax
from plum import dispatch


@dispatch
def first(a: jax.Array):
    return a * 2


@dispatch
def second(a: jax.Array):
    return a * 3
