"""`load("late")` hands the literal name to a helper that imports it."""

import jax.numpy as jnp
from app import total
from loading import load

total(jnp.ones(2))
load("text")
load("late")  # expect: PJ004
print(total(jnp.ones(2)))
