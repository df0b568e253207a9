"""The method for the class itself was there before: what comes between is harmless."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
