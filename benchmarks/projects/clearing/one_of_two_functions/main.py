"""Two jitted functions hold the choice; the cache of one is cleared."""

import jax.numpy as jnp
from app import mean, total

total(jnp.ones(2))
mean(jnp.ones(2))
import late  # expect: PJ004/error

total.clear_cache()
print(total(jnp.ones(2)), mean(jnp.ones(2)))
