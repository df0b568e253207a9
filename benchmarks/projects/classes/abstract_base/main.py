"""The late method is for a base class; the one for the class itself stays the better."""

import jax.numpy as jnp
from shapes import Square, total

total(Square(jnp.ones(2)))
import general

print(total(Square(jnp.ones(2))))
