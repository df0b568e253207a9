"""`from package import *` imports the submodule that `__all__` names."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
from plugins import *  # expect: PJ004

print(total(jnp.ones(2)))
