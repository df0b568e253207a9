"""All modules of a plugin package are found by listing its folder."""

import plugins
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
plugins.load_all()  # expect: PJ004
print(total(jnp.ones(2)))
