"""The late method takes three arguments, and two were given."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
