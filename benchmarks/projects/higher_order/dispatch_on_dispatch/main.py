"""A chain of three dispatched functions in three modules; the last is extended."""

import jax.numpy as jnp
from first import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
