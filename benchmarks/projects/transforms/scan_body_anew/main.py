"""The body is a new function at each call: nothing is kept."""

import jax.numpy as jnp
from loop import run

run(jnp.ones(3))
import late

print(run(jnp.ones(3)))
