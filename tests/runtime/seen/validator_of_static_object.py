"""Objects that are static are there to be asked."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


from functools import partial


class Mode:
    def __init__(self, fast):
        self.fast = fast


FAST = Mode(True)
SLOW = Mode(False)


@dispatch
def f(a: jax.Array, mode: Mode):
    return a * 2


@partial(jax.jit, static_argnums=1)
def run(a, mode):
    return f(a, mode)


@jax.jit
def quick(a):
    return f(a, FAST)


run(x, SLOW)


@dispatch
def f(a: jax.Array, mode: Annotated[Mode, Is[lambda m: m.fast]]):
    return a * 3


run(x, SLOW)
quick(x)


@dispatch  # expect: PJ004
def f(a: jax.Array, mode: Annotated[Mode, IsAttr["fast", IsEqual[True]], Is[lambda m: m.fast]]):
    return a * 5


run(x, SLOW)
try:
    quick(x)
except LookupError:
    pass
