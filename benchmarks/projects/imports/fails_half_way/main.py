"""The optional module registers, then fails to import what it needs: the method stays."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
try:
    import optional  # expect: PJ004
except ImportError:
    optional = None
print(total(jnp.ones(2)), optional)
