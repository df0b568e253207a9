"""The helper constructs a `Crate`; the late method is for a `Bag`."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
