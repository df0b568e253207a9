"""A constant is no tracer."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


ONES = jnp.ones(3)


@dispatch
def f(a: jax.Array):
    return a.sum() * 2


@jax.jit
def run(a):
    return f(ONES) + a


run(x)


@dispatch
def f(a: jax.core.Tracer):
    return a.sum() * 3


@dispatch  # expect: PJ004
def f(a: type(ONES)):
    return a.sum() * 5


run(x)
