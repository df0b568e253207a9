"""`__import__` with a literal name."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
late = __import__("late")  # expect: PJ004
print(total(jnp.ones(2)))
