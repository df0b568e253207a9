"""The second argument is an `int`; the late method wants a `str`."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
