"""The module calls its own `register_all` when it is imported, before the jitted call."""

import jax.numpy as jnp
import late
from app import total

total(jnp.ones(2))
print(total(jnp.ones(2)))
