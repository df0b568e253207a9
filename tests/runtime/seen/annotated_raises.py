"""A validator that a tracer cannot answer: what a new trace does is not known."""

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


@jax.jit
def run(a):
    try:
        return f(a)
    except jax.errors.TracerBoolConversionError:
        return a * 9


run(x)


@dispatch  # expect: PJ004/warning
def f(a: Annotated[jax.Array, Is[lambda a: bool(a > 5)]]):
    return a * 4


run(x)
