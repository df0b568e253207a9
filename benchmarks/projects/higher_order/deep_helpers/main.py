"""Six helpers in three modules lie between the jitted function and the dispatched one."""

import jax.numpy as jnp
from top import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
