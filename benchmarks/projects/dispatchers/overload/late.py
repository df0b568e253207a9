import jax
from plum import dispatch, overload


@overload
def area(a: str):
    return a


@overload
def area(a: jax.Array):
    return a * 3


@dispatch
def area(a):
    pass
