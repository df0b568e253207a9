"""A decorator class of another module holds the jitted function and calls it."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
