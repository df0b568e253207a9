"""`jit(vmap(f))` of the dispatched function itself."""

import jax.numpy as jnp
from lib import run

run(jnp.ones((2, 2)))
import late  # expect: PJ003/error

print(run(jnp.ones((2, 2))))
