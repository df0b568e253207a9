"""Only a constant is imported from the late module, which registers all the same."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
from late import VERSION  # expect: PJ004/error

print(VERSION, total(jnp.ones(2)))
