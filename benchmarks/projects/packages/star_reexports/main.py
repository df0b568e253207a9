"""`__init__` gathers star imports, and `__all__` is put together from theirs."""

import jax.numpy as jnp
from toolkit import *

total(jnp.ones(2))
from toolkit_extra import *  # expect: PJ004/error

print(total(jnp.ones(2)), area)
