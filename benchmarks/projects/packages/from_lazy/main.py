"""`from package import name` asks a lazy module `__getattr__` too."""

import jax.numpy as jnp
from lazykit import total

total(jnp.ones(2))
from lazykit import fast_area  # expect: PJ004

print(total(jnp.ones(2)), fast_area)
