"""A constant of another module is false: the import below it never runs."""

import jax.numpy as jnp
from app import total
from settings import USE_FAST

total(jnp.ones(2))
if USE_FAST:
    import fast
print(total(jnp.ones(2)))
