import jax
from plum import dispatch
from points import Point


@dispatch
def norm(p: tuple):
    return p[0] * 2


@jax.jit
def total(a):
    return norm(Point(a, 1))
