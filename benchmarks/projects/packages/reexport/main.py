"""The jitted function comes through two re-exports, the late method through a third."""

import jax.numpy as jnp
from toolbox import total

total(jnp.ones(2))
from toolbox.extras import area  # expect: PJ004/error

print(total(jnp.ones(2)), area)
