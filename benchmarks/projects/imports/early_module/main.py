"""The same module as in late_module, imported before the first jitted call."""

import jax.numpy as jnp
import late
from app import total

total(jnp.ones(2))
print(total(jnp.ones(2)))
