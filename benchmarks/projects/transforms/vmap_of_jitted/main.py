"""`vmap` of a function jitted in another module goes through its cache."""

import jax
import jax.numpy as jnp
from lib import total

jax.vmap(total)(jnp.ones((2, 2)))
import late  # expect: PJ004/error

print(jax.vmap(total)(jnp.ones((2, 2))))
