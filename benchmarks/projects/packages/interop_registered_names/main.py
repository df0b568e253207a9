"""An interop package is loaded by a loop with `try`, as coordinax does with its entry points."""

import jax.numpy as jnp
import coords

coords.distance(jnp.ones(2))
coords.load_interop()  # expect: PJ004
print(coords.distance(jnp.ones(2)))
