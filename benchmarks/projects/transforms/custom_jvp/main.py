"""A `custom_jvp` function of another module, inside a jitted one."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
