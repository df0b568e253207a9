"""Variable arguments with a validator."""

import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()
x = jnp.array(1.0)


from typing import Annotated

from beartype.vale import Is


@dispatch
def g(*a: jax.Array):
    return sum(a) * 2


@jax.jit
def run(a):
    return g(a, a)


run(jnp.ones(3))


@dispatch
def g(*a: Annotated[jax.Array, Is[lambda a: a.ndim == 2]]):
    return sum(a) * 3


@dispatch  # expect: PJ004
def g(*a: Annotated[jax.Array, Is[lambda a: a.shape[0] == 3]]):
    return sum(a) * 4


run(jnp.ones(3))
