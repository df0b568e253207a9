"""The object has changed since: plum would ask it as it is now."""

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
M.x = 7


@dispatch  # expect: PJ004
def f(a: Annotated[Mode, Is[lambda m: m.x > 5]]):
    return 4.0


run(x)
