"""An array that is known while tracing is asked for its values."""
from typing import Annotated

import jax
import numpy as np
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


ONES = jnp.ones(3)
ZEROS = jnp.zeros(3)
Positive = Annotated[jax.Array, Is[lambda a: bool((np.asarray(a) > 0).all())]]


@dispatch
def f(a: jax.Array, w: jax.Array):
    return a * 2


@jax.jit
def ones(a):
    return f(a, ONES)


@jax.jit
def zeros(a):
    return f(a, ZEROS)


zeros(x)


@dispatch
def f(a: jax.Array, w: Positive):
    return a * 3


ones(x)


@dispatch  # expect: PJ004
def f(a: jax.Array, w: Positive):
    return a * 5


zeros(x)
ones(x)
