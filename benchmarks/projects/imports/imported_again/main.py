"""An import of a module that has run already registers nothing a second time."""

import jax.numpy as jnp
import core
import extension
from app import total

total(jnp.ones(2))
import extension
from extension import scale

print(total(scale * jnp.ones(2)))
