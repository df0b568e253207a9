"""`2 * v` ends in a `__rmul__` that calls a dispatched function."""

import jax.numpy as jnp
from vectors import Vector, total

total(Vector(jnp.ones(2)))
import late  # expect: PJ004/error

print(total(Vector(jnp.ones(2))))
