"""The stale function is called once before the caches are cleared."""

import jax.numpy as jnp
from app import total
from maintenance import refresh

total(jnp.ones(2))
import late  # expect: PJ004/error

total(jnp.ones(2))
refresh()
print(total(jnp.ones(2)))
