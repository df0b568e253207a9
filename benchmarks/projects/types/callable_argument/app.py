import jax
from plum import dispatch


def double(a):
    return 2 * a


@dispatch
def apply(function: object, a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return apply(double, a)
