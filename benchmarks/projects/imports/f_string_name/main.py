"""The imported name is an f-string of a literal argument."""

import jax.numpy as jnp
from app import total
from plugins import load

total(jnp.ones(2))
load("fast")  # expect: PJ004
print(total(jnp.ones(2)))
