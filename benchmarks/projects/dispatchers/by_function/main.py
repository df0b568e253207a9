"""`def make_dispatcher()` is called twice: two dispatchers; one is shared by name."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late_other
import late_same  # expect: PJ004/error

print(total(jnp.ones(2)))
