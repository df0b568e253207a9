"""`if OPTIONAL: from . import interop` in a function that loads what is installed."""

import jax.numpy as jnp
import sky

sky.total(jnp.ones(2))
sky.load_interop()  # expect: PJ004
print(sky.total(jnp.ones(2)))
