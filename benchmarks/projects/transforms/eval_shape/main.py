"""`jax.eval_shape` runs nothing, and fills the cache of the function all the same."""

import jax
import jax.numpy as jnp
from lib import area, total

jax.eval_shape(total, jnp.ones(2))
import late  # expect: PJ004

print(jax.jit(total)(jnp.ones(2)), area)
