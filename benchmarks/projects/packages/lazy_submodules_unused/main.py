"""A lazy package whose late submodule nobody asks for."""

import jax.numpy as jnp
import toolkit

toolkit.core.total(jnp.ones(2))
print(toolkit.core.total(jnp.ones(2)))
