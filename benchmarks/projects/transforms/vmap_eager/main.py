"""An eager `vmap` of a plain function traces afresh at each call."""

import jax
import jax.numpy as jnp
from lib import other, total

other(jnp.ones(2))
jax.vmap(total)(jnp.ones((2, 2)))
import late

print(jax.vmap(total)(jnp.ones((2, 2))))
