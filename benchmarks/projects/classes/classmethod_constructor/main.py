"""A dispatched classmethod `from_` is extended after a jitted function has built by it."""

import jax.numpy as jnp
from quantity import Quantity
from work import build

build(jnp.ones(2))
import late  # expect: PJ004/error

print(build(jnp.ones(2)))
