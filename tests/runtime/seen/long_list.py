"""What a long list holds was asked at the call."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


@dispatch
def f(a: jax.Array, names: list):
    return a * 2


@dispatch
def f(a: jax.Array, names: list[str]):
    return a * 3


NAMES = [str(n) for n in range(100)]


@jax.jit
def run(a):
    return f(a, NAMES)


run(x)


@dispatch
def f(a: jax.Array, names: list):
    return a * 5


@dispatch  # expect: PJ004
def f(a: jax.Array, names: list[str]):
    return a * 7


run(x)
