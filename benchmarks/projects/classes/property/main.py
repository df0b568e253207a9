"""A property of a class in another module calls the dispatched function."""

import jax.numpy as jnp
from vectors import Vector, total

total(Vector(jnp.ones(2)))
import late  # expect: PJ004/error

print(total(Vector(jnp.ones(2))))
