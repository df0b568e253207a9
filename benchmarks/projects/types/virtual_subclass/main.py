"""An abstract base class counts a class as its own by `register`, in a third module."""

import jax.numpy as jnp
import virtual
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)), virtual)
