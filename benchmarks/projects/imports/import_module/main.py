"""`importlib.import_module` with a literal name."""

import importlib
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
importlib.import_module("late")  # expect: PJ004/error
print(total(jnp.ones(2)))
