"""In a loop an import registers in the first round only, before the first call."""

import jax.numpy as jnp
from app import total

for factor in (3, 4):
    import late

    total(factor * jnp.ones(2))
