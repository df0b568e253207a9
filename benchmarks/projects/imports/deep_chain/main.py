"""The registration lies four imports below the one that stands in the root."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import level1  # expect: PJ004/error

print(total(jnp.ones(2)))
