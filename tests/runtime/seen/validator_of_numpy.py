"""An array of NumPy has its values."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


import numpy as np

ONES = np.ones(3)
ZEROS = np.zeros(3)
Positive = Annotated[np.ndarray, Is[lambda a: bool((a > 0).all())]]


@dispatch
def f(a: jax.Array, w: np.ndarray):
    return a * 2


@jax.jit
def zeros(a):
    return f(a, ZEROS)


zeros(x)


@dispatch
def f(a: jax.Array, w: Positive):
    return a * 3


@jax.jit
def ones(a):
    return f(a, ONES)


ones(x)


@dispatch  # expect: PJ004
def f(a: jax.Array, w: Positive):
    return a * 5


zeros(x)
ones(x)
