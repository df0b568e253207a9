"""Only the outer function's cache is cleared: the inner trace of another module stays."""

import jax.numpy as jnp
from inner import inner
from outer import outer

outer(jnp.ones(2))
import late  # expect: PJ004/error

outer.clear_cache()
print(outer(jnp.ones(2)), inner)
