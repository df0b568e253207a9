"""The function is looked up in the dispatcher's own table by its name."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
