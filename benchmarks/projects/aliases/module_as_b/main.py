"""`import backend as B; @B.dispatch`: the module hands its Dispatcher on."""

import jax.numpy as jnp
import backend as B
from app import total

total(jnp.ones(2))
import backend.fast  # expect: PJ004/error

print(total(jnp.ones(2)), B.dispatch)
