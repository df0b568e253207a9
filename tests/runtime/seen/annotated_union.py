"""A union with a validator, asked of an object that is there."""

import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()
x = jnp.array(1.0)


@dispatch
def f(a: jax.Array):
    return a * 2


@dispatch
def f(a: object):
    return jnp.asarray(a.x if hasattr(a, "x") else 1.0) * 3


from typing import Annotated

from beartype.vale import Is


class Mode:
    def __init__(self, n):
        self.x = n


M = Mode(1)


@jax.jit
def run(a):
    return f(M) + f(a)


run(x)


@dispatch
def f(a: Annotated[Mode, Is[lambda m: m.x > 5]] | int):
    return 4.0


@dispatch  # expect: PJ004
def f(a: Annotated[Mode, Is[lambda m: m.x < 5]] | str):
    return 5.0


run(x)
