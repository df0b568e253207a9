"""A class decorator of another module registers a method for each class."""

import jax.numpy as jnp
from boxes import Box
from rules import total

total(Box(jnp.ones(2)))
import late  # expect: PJ004

print(total(Box(jnp.ones(2))), late)
