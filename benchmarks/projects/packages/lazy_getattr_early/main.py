"""The lazy attribute is asked for before the jitted call, and again after it."""

import jax.numpy as jnp
import lazykit

print(lazykit.extra)
lazykit.total(jnp.ones(2))
print(lazykit.extra)
print(lazykit.total(jnp.ones(2)))
