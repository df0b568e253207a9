"""The jitted function takes the dispatched one from a dict in another module."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late  # expect: PJ004

print(run(jnp.ones(2)))
