"""The late method is for `self` of a subclass; what was traced is the base: harmless."""

import jax.numpy as jnp
from base import Base

model = Base()
model.run(jnp.ones(2))
import late

print(model.run(jnp.ones(2)))
