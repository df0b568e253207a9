"""A function of a library loads, then calls."""

import jax.numpy as jnp
import library

print(library.setup(jnp.ones(2)), library.setup(jnp.ones(2)))
