"""`list(map(total, arrays))` makes the jitted calls."""

import jax.numpy as jnp
from app import total

results = list(map(total, [jnp.ones(2)]))
import late  # expect: PJ004

print(results, [total(a) for a in [jnp.ones(2)]])
