"""A recursive helper ends in the dispatched function."""

import jax.numpy as jnp
from app import run

run(jnp.ones(2))
import late  # expect: PJ004

print(run(jnp.ones(2)))
