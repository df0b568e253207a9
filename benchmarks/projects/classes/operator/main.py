"""`a + b` goes to a dispatched `__add__` that is extended by a later module."""

import jax.numpy as jnp
from vectors import Vector, total

total(Vector(jnp.ones(2)), Vector(jnp.ones(2)))
import late  # expect: PJ004/error

print(total(Vector(jnp.ones(2)), Vector(jnp.ones(2))))
