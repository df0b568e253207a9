"""The plugin clears before it registers, and is followed by a call: harmless as well."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
