"""Two modules that import each other: the one that is imported first finishes last."""

import jax.numpy as jnp
import first

first.total(jnp.ones(2))
import late  # expect: PJ004/error

print(first.total(jnp.ones(2)))
