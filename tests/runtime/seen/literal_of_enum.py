"""A member of an enumeration is kept as itself."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


from enum import Enum, IntEnum
from typing import Literal


class Mode(Enum):
    FAST = 1
    SLOW = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dispatch
def f(a: jax.Array, mode: object):
    return a * 2


@jax.jit
def run(a):
    return f(a, Mode.FAST) + f(a, Level.LOW)


run(x)


@dispatch
def f(a: jax.Array, mode: Literal[Mode.SLOW, Level.HIGH]):
    return a * 3


@dispatch  # expect: PJ004
def f(a: jax.Array, mode: Literal[Mode.FAST]):
    return a * 5


@dispatch  # expect: PJ004
def f(a: jax.Array, mode: Literal[Level.LOW]):
    return a * 7


run(x)
