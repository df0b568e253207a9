"""One import brings two late methods of two functions."""

import jax.numpy as jnp
from app import mean, total

total(jnp.ones(2))
mean(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)), mean(jnp.ones(2)))
