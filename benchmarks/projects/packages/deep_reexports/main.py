"""A function goes through three `__init__` files and a rename before it is extended by attribute."""

import jax.numpy as jnp
from sky.api import surface, total

total(jnp.ones(2))
import sky.extras  # expect: PJ004/error

print(total(jnp.ones(2)), surface)
