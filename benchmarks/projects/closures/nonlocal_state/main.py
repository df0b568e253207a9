"""The jitted function is kept in a cell and made at the first call."""

import jax.numpy as jnp
from lazyjit import get_run

get_run()(jnp.ones(2))
import late  # expect: PJ004

print(get_run()(jnp.ones(2)))
