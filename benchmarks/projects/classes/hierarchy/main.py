"""A subclass from a third module gets its own method after its base's was compiled in."""

import jax.numpy as jnp
from shapes.square import Square
from shapes.work import total

total(Square(jnp.ones(2)))
import shapes.special  # expect: PJ004/error

print(total(Square(jnp.ones(2))))
