"""The jitted call and the late import stand in different branches: never both."""

# env: PROJECT_FAST=1
import os
import jax.numpy as jnp
from app import other, total

other(jnp.ones(2))
if os.environ.get("PROJECT_FAST"):
    total(jnp.ones(2))
else:
    import late
print(other(jnp.ones(2)))
