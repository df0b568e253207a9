"""`jax.checkpoint` keeps the trace of a function from another module."""

import jax.numpy as jnp
from lib import saved

saved(jnp.ones(2))
import late  # expect: PJ004/error

print(saved(jnp.ones(2)))
