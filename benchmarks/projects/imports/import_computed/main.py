"""The name of the imported module is put together from what the environment says."""

import importlib
import os
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
importlib.import_module("back" + os.environ.get("PROJECT_BACKEND", "end"))  # expect: PJ004
print(total(jnp.ones(2)))
