"""The late module registers another name that only sounds alike: harmless."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)), late.area)
