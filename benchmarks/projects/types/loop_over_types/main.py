"""The methods are registered by a loop over types, one of which was traced."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
