import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


def total(a):
    return 12 * area(a)
