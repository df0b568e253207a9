"""`plum.dispatch` in one module, `from plum import dispatch as extend` in another: one dispatcher."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
