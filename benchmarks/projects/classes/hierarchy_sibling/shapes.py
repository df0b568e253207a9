import equinox as eqx
import jax
from plum import dispatch


class Shape(eqx.Module):
    side: jax.Array


class Square(Shape):
    pass


@dispatch
def area(s: Shape):
    return s.side * 2


@jax.jit
def total(a):
    return 12 * area(a)
