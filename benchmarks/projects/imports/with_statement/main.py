"""The late import stands in a `with` block."""

import contextlib
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
with contextlib.suppress(ImportError):
    import late  # expect: PJ004
print(total(jnp.ones(2)))
