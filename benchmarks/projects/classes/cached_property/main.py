"""A cached property of a class in another module is the jitted function."""

import jax.numpy as jnp
from model import Model

model = Model()
model.run(jnp.ones(2))
import late  # expect: PJ004

print(model.run(jnp.ones(2)))
