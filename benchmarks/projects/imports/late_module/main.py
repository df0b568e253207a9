"""A module that is imported after the first jitted call extends a function by name alone."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
