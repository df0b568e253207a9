"""The caches are cleared only if the environment says so."""

# env: PROJECT_CLEAR=1
import jax.numpy as jnp
from app import total
from maintenance import refresh

total(jnp.ones(2))
import late  # expect: PJ004/warning

refresh()
print(total(jnp.ones(2)))
