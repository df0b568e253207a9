"""A named tuple and arrays have nothing in common."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    a: jax.Array
    b: jax.Array


@dispatch
def f(p: Pair, n: object):
    return p.a * 2


@jax.jit
def run(p):
    return f(p, np.float32(3.0))


run(Pair(x, x))


@dispatch
def f(p: jax.Array, n: object):
    return p


@dispatch
def f(p: Pair, n: jax.Array):
    return p.a * 3


@dispatch  # expect: PJ004
def f(p: tuple, n: np.float32):
    return p[0] * 4


@dispatch  # expect: PJ004
def f(p: Pair, n: np.float32):
    return p.a * 5


try:
    run(Pair(x, x))
except LookupError:
    pass
