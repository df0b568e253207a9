"""A validator asks a tracer for what it has: shape and type."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


Vector = Annotated[jax.Array, Is[lambda a: a.ndim == 1]]
Matrix = Annotated[jax.Array, IsAttr["ndim", IsEqual[2]]]


@dispatch
def f(a: jax.Array):
    return a * 2


@jax.jit
def run(a):
    return f(a)


run(jnp.ones(3))


@dispatch
def f(a: Matrix):
    return a * 3


@dispatch  # expect: PJ004
def f(a: Vector):
    return a * 5


run(jnp.ones(3))
