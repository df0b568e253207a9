"""An optional module is missing: the fallback registers, and only for `int`."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
try:
    import not_there_at_all
except ImportError:
    import slow
print(total(jnp.ones(2)))
