"""The argument is what a helper of another module constructs."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
