"""`match` over a literal chooses the backend that is imported."""

import jax.numpy as jnp
import backends
from app import total

total(jnp.ones(2))
backends.use("fast")  # expect: PJ004
print(total(jnp.ones(2)))
