"""A context manager of another module clears when it is left."""

import jax.numpy as jnp
from app import total
from maintenance import extending

total(jnp.ones(2))
with extending():
    import late
print(total(jnp.ones(2)))
