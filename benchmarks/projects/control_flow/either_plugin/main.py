"""One of two plugins is imported; each changes the compiled choice."""

# env: PROJECT_FAST=1
import os
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if os.environ.get("PROJECT_FAST"):
    import fast  # expect: PJ004/warning
else:
    import slow  # expect: PJ004/warning
print(total(jnp.ones(2)))
