"""A namespace package without `__init__`, with one part that extends another."""

import jax.numpy as jnp
from parts.base import total

total(jnp.ones(2))
import parts.addon  # expect: PJ004/error

print(total(jnp.ones(2)), parts.addon)
