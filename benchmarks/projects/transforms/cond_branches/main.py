"""A branch function of `lax.cond` in another module; both branches are traced."""

import jax.numpy as jnp
from choose import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
