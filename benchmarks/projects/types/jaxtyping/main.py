"""The late method's annotation is a jaxtyping one for another number of axes."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
