"""A dispatched `__init__` is extended after a jitted function has constructed by it."""

import jax.numpy as jnp
from boxes import Box
from work import build

build(jnp.ones(2))
import late  # expect: PJ004/error

print(build(jnp.ones(2)), Box)
