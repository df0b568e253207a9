"""A collection that is gone is of its class all the same: what is inside does not matter."""
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()
x = jnp.array(1.0)


class Bag:
    def __len__(self):
        return 1

    def __iter__(self):
        return iter((1,))

    def __contains__(self, item):
        return item == 1


@runtime_checkable
class Closable(Protocol):
    def close(self): ...


@dispatch
def f(a: jax.Array, items: object):
    return a * 2


@jax.jit
def run(a):
    return f(a, Bag())


run(x)


@dispatch
def f(a: jax.Array, items: str):
    return a * 3


@dispatch
def f(a: jax.Array, items: list[int]):
    return a * 5


@dispatch
def f(a: jax.Array, items: Closable):
    return a * 13


@dispatch  # expect: PJ004
def f(a: jax.Array, items: Bag):
    return a * 7


run(x)
