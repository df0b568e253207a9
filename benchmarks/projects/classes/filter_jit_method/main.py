"""`@eqx.filter_jit` on `__call__` of a Module in another module."""

import jax.numpy as jnp
from layers import Layer

layer = Layer(jnp.ones(2))
layer(jnp.ones(2))
import late  # expect: PJ004/error

print(layer(jnp.ones(2)))
