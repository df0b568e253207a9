"""A function of a library calls, then loads: the library's own order is at fault."""

import jax.numpy as jnp
import library

print(library.setup(jnp.ones(2)))
