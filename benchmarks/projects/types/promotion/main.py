"""A promotion rule decides what `plum.promote` makes of two types while tracing."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
