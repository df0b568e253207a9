"""The signatures that are given in the decorator are for other types."""

import jax.numpy as jnp
from lib import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
