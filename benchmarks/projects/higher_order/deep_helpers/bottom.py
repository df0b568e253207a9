import jax
from plum import dispatch


@dispatch
def kernel(a: jax.Array):
    return a * 2


def fourth(a):
    return fifth(a) + 1


def fifth(a):
    return kernel(a) + 1
