"""Two modules each make a Dispatcher called `dispatch`: two worlds."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
