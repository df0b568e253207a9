"""`from package import late` finds an attribute of that name: the submodule does not run."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
from plugins import late

print(total(jnp.ones(2)), late)
