"""The late import stands in a `finally`."""

import jax.numpy as jnp
from app import total

try:
    total(jnp.ones(2))
finally:
    import late  # expect: PJ004/error
print(total(jnp.ones(2)))
