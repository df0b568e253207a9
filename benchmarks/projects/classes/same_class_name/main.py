"""Two classes of one name in two modules: two functions, so nothing is stale."""

import jax.numpy as jnp
from model import Model

model = Model()
model.run(jnp.ones(2))
import other

print(model.run(jnp.ones(2)), other.Model)
