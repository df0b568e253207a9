"""Two jitted functions over one: only the one for a `Square` has been called."""

import jax.numpy as jnp
from shapes import Circle, Square
from work import total

total(Square(jnp.ones(2)))
import late  # expect: PJ004

print(total(Square(jnp.ones(2))), Circle)
