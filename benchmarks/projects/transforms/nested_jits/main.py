"""The inner jitted function of one module was traced inside the outer one of another."""

import jax.numpy as jnp
from outer import outer

outer(jnp.ones(2))
import late  # expect: PJ004/error

print(outer(jnp.ones(2)))
