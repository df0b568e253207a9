"""The late method is wider than the one that was compiled in: it loses."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
