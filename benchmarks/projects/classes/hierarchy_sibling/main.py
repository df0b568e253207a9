"""The late method is for a sibling of the class that was traced: harmless."""

import jax.numpy as jnp
from shapes import Square, total

total(Square(jnp.ones(2)))
import circles

print(total(Square(jnp.ones(2))), circles.Circle)
