"""`dispatch` above `jit`: direct calls dispatch anew, so nothing is stale."""

import jax.numpy as jnp
from lib import area

area(jnp.ones(2))
import late

print(area(jnp.ones(2)))
