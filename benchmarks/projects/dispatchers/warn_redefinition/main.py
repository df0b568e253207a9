"""A Dispatcher with options, imported through a package."""

import jax.numpy as jnp
from work.app import total

total(jnp.ones(2))
import work.late  # expect: PJ004/error

print(total(jnp.ones(2)))
