"""A metaclass that looks inside, asked of an object that is there."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


class Looking(type):
    def __instancecheck__(cls, one):
        return getattr(one, "kind", None) == "fast"


class Fast(metaclass=Looking):
    pass


class Mode:
    def __init__(self, kind):
        self.kind = kind


FAST = Mode("fast")
SLOW = Mode("slow")


@dispatch
def f(a: jax.Array, mode: object):
    return a * 2


@jax.jit
def fast(a):
    return f(a, FAST)


@jax.jit
def slow(a):
    return f(a, SLOW)


slow(x)


@dispatch
def f(a: jax.Array, mode: Fast):
    return a * 3


slow(x)
fast(x)


@dispatch  # expect: PJ004
def f(a: jax.Array, mode: Fast):
    return a * 5


slow(x)
fast(x)
