"""A plugin is imported if the environment says so."""

# env: PROJECT_FAST=1
import os
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if os.environ.get("PROJECT_FAST"):
    import fast  # expect: PJ004/warning
print(total(jnp.ones(2)))
