"""A text of bytes is kept as itself; a dict that holds itself is looked into for a while."""
from typing import Literal

import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()
x = jnp.array(1.0)

endless = {}
endless["self"] = endless


@dispatch
def f(a: jax.Array, mode: object):
    return a * 2


@dispatch
def g(a: jax.Array, table: dict):
    return a * 2


@jax.jit
def run(a):
    return f(a, b"fast") + g(a, endless)


run(x)


@dispatch
def f(a: jax.Array, mode: Literal[b"slow"]):
    return a * 3


@dispatch  # expect: PJ004
def f(a: jax.Array, mode: Literal[b"fast"]):
    return a * 5


@dispatch
def g(a: jax.Array, table: list):
    return a * 7


@dispatch  # expect: PJ004
def g(a: jax.Array, table: dict):
    return a * 11


run(x)
