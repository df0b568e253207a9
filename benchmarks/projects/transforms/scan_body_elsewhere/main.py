"""`lax.scan` without any jit keeps the trace of a body function from another module."""

import jax.numpy as jnp
from loop import run

run(jnp.ones(3))
import late  # expect: PJ004/error

print(run(jnp.ones(3)))
