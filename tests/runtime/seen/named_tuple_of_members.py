"""A named tuple is a tuple of what it holds, which is known after it is gone."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()


class Pair(NamedTuple):
    x: jax.Array
    y: jax.Array


@dispatch
def f(v: object):
    return v.x * 2


@jax.jit
def run(v):
    return f(v)


run(Pair(jnp.ones(2), jnp.ones(2)))


@dispatch
def f(v: tuple[str, ...]):
    return jnp.ones(2) * 3


@dispatch
def f(v: tuple[jax.Array]):
    return jnp.ones(2) * 4


@dispatch  # expect: PJ004
def f(v: tuple[jax.Array, ...]):
    return v.x * 5


@dispatch
def f(v: tuple[jax.Array, str]):
    return jnp.ones(2) * 6


run(Pair(jnp.ones(2), jnp.ones(2)))
