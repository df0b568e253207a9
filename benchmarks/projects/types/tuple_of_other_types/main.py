"""The tuple's second element is an `int`, and the late method's is a `str`."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
