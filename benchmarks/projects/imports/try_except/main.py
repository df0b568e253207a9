"""`try: import fast` with a fallback: the fast module is there, so it is what runs."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
try:
    import fast  # expect: PJ004
except ImportError:
    import slow
print(total(jnp.ones(2)))
