"""A tuple argument with its element types in the annotation."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
