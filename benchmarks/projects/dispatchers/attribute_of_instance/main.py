"""A registry object holds its dispatcher as an attribute and registers by a method."""

import jax.numpy as jnp
from app import total
from registry import RULES

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)), RULES)
