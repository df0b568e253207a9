import jax
from plum import dispatch


@dispatch
def flip(a: jax.Array, on: int):
    return a * 2


@jax.jit
def total(a):
    return flip(a, True)
