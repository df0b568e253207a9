"""The manager calls the jitted function between loading and clearing."""

import jax.numpy as jnp
from app import total
from manager import Manager

manager = Manager()
total(jnp.ones(2))
manager.load(jnp.ones(2))  # expect: PJ004/error
print(total(jnp.ones(2)))
