"""The packages lie below `src`, as in most projects."""

import jax.numpy as jnp
from motor.run import total

total(jnp.ones(2))
import motor.turbo  # expect: PJ004/error

print(total(jnp.ones(2)), motor.turbo)
