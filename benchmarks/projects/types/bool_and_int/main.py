"""`True` was traced with the method for `int`; a method for `bool` is more specific."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
