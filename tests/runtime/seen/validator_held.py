"""The validator held at the call: what is less narrow changes nothing, and itself again does."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


Vector = Annotated[jax.Array, Is[lambda a: a.ndim == 1]]


@dispatch
def f(a: Vector):
    return a * 2


@jax.jit
def run(a):
    return f(a)


run(jnp.ones(3))


@dispatch
def f(a: jax.Array):
    return a * 3


@dispatch  # expect: PJ004
def f(a: Vector):
    return a * 5


run(jnp.ones(3))
