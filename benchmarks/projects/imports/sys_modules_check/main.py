"""`if "app" in sys.modules` is true here: the extension is loaded."""

import sys
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if "app" in sys.modules:
    import late  # expect: PJ004
print(total(jnp.ones(2)))
