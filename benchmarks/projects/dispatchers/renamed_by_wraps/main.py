"""A decorator below `dispatch` gives its wrapper another name: another function is extended."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
