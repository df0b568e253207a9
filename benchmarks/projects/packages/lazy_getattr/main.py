"""A module `__getattr__` imports the register module when its attribute is first asked for."""

import jax.numpy as jnp
import lazykit

lazykit.total(jnp.ones(2))
print(lazykit.extra)  # expect: PJ004
print(lazykit.total(jnp.ones(2)))
