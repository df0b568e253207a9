"""A module that registers the same definition again by a function: nothing changes."""

import jax.numpy as jnp
import rules
from app import total

total(jnp.ones(2))
rules.install()
print(total(jnp.ones(2)))
