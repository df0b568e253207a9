"""`import a.b as c`, with the call through the alias."""

import jax.numpy as jnp
import shapes.flat as flat

flat.total(jnp.ones(2))
import shapes.solid as solid  # expect: PJ004/error

print(flat.total(solid.unit()))
