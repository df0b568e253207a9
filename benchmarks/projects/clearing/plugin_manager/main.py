"""A manager object loads the plugin and then clears, in one method of another module."""

import jax.numpy as jnp
from app import total
from manager import Manager

manager = Manager()
total(jnp.ones(2))
manager.load()
print(total(jnp.ones(2)))
