"""The module that is imported depends on Python's version: both register the same."""

import sys
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if sys.version_info >= (3, 8):
    import new_python  # expect: PJ004
else:
    import old_python
print(total(jnp.ones(2)))
