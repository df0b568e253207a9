"""The late import finds a module that a neighbour had imported long before."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)), late)
