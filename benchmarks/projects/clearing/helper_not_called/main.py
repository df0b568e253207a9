"""The helper that clears is imported and not called."""

import jax.numpy as jnp
from maintenance import refresh
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)), refresh)
