"""`__init_subclass__` of a base in another module registers a method for each new class."""

import jax.numpy as jnp
from rules import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
