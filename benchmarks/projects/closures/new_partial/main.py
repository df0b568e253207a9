"""A new partial at each call: a new function, traced anew."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late

print(run(jnp.ones(2)))
