"""The import is early and only defines; the call that registers comes late."""

import jax.numpy as jnp
import late
from app import total

total(jnp.ones(2))
late.register_all()  # expect: PJ004/error
print(total(jnp.ones(2)))
