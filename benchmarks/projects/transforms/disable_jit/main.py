"""Under `jax.disable_jit()` nothing is kept."""

import jax
import jax.numpy as jnp
from lib import other, total

other(jnp.ones(2))
with jax.disable_jit():
    total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
