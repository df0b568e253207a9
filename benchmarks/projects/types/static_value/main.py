"""A static argument keeps its own type while tracing."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2), 3)
import late  # expect: PJ004/error

print(total(jnp.ones(2), 3))
