"""Numbers and strings that are static are kept."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


from functools import partial


@dispatch
def f(a: jax.Array, n: int):
    return a * 2


@partial(jax.jit, static_argnums=1)
def run(a, n):
    return f(a, n)


run(x, 3)


@dispatch
def f(a: jax.Array, n: Annotated[int, Is[lambda n: n > 5]]):
    return a * 3


@dispatch  # expect: PJ004
def f(a: jax.Array, n: Annotated[int, Is[lambda n: n > 2]]):
    return a * 5


run(x, 3)
