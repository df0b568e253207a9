"""The function itself and a caller of it were traced: both codes at one import."""

import jax.numpy as jnp
import jax
from lib import area, total

jax.jit(area)(jnp.ones(2))
total(jnp.ones(2))
import late  # expect: PJ003/error PJ004/error

print(jax.jit(area)(jnp.ones(2)), total(jnp.ones(2)))
