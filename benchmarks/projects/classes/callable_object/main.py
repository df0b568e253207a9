"""A layer object with `__call__` from another module is called by the jitted function."""

import jax.numpy as jnp
from layers import Layer
from train import step

step(Layer(jnp.ones(2)), jnp.ones(2))
import late  # expect: PJ004/error

print(step(Layer(jnp.ones(2)), jnp.ones(2)))
