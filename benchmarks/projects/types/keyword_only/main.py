"""Keyword-only parameters take no part in the choice: the late method is a redefinition."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
