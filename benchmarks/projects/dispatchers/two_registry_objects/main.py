"""Two registry objects of one class, each with a dispatcher of its own: harmless."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
