"""`@B.add.dispatch` on a function of the module B, not on its Dispatcher."""

import jax.numpy as jnp
import backend as B
from app import total

total(jnp.ones(2))
import more  # expect: PJ004/error

print(total(jnp.ones(2)), B.add)
