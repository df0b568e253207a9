"""The project's dispatcher is extended, and plum's own is what was used: harmless."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
