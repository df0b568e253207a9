"""Both caches are cleared before the next call."""

import jax.numpy as jnp
from inner import inner
from outer import outer

outer(jnp.ones(2))
import late

outer.clear_cache()
inner.clear_cache()
print(outer(jnp.ones(2)))
