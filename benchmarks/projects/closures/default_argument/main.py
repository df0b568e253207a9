"""The dispatched function is the default of a parameter."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
