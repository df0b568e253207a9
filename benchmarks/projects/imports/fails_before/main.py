"""The optional module fails to import what it needs before it registers: harmless."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
try:
    import optional
except ImportError:
    optional = None
print(total(jnp.ones(2)), optional)
