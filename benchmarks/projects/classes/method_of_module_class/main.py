"""A method is dispatched in a class body; a later module extends it by attribute."""

import jax.numpy as jnp
from model import Model

model = Model()
model.run(jnp.ones(2))
import extension  # expect: PJ004/error

print(model.run(jnp.ones(2)))
