import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


import b_second


@dispatch  # expect: PJ004/error
def area(a: jax.Array):
    return a * 3
