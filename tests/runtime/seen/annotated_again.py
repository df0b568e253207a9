"""The narrower one again: another method."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


@dispatch
def f(a: Annotated[jax.Array, "metres"]):
    return a * 2


@jax.jit
def run(a):
    return f(a)


run(x)


@dispatch
def f(a: jax.Array):
    return a * 3


@dispatch  # expect: PJ004
def f(a: Annotated[jax.Array, "metres"]):
    return a * 5


run(x)
