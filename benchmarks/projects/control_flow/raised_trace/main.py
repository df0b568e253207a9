"""The trace raises, so nothing is kept: what is registered after it is seen."""

import jax.numpy as jnp
from app import other, total

other(jnp.ones(2))
try:
    total(jnp.ones(2))
except LookupError:
    import late
print(total(jnp.ones(2)))
