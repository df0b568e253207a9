"""An argument that is not static is a tracer: the late method for `int` never matches."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2), 3)
import late

print(total(jnp.ones(2), 3))
