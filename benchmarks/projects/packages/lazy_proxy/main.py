"""A local `LazyModule` class imports at the first attribute access."""

import jax.numpy as jnp
from app import total
from lazy import late

total(jnp.ones(2))
print(late.NAME)  # expect: PJ004
print(total(jnp.ones(2)))
