"""A comprehension makes the jitted calls."""

import jax.numpy as jnp
from app import total

results = [total(a) for a in (jnp.ones(2), jnp.zeros(2))]
import late  # expect: PJ004

print(results, [total(a) for a in (jnp.ones(2), jnp.zeros(2))])
