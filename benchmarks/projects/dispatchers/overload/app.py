import jax
from plum import dispatch, overload


@overload
def area(a: int):
    return a


@overload
def area(a: jax.Array):
    return a * 2


@dispatch
def area(a):
    pass


@jax.jit
def total(a):
    return 12 * area(a)
