"""The dispatcher is handed to a function that registers on it."""

import jax.numpy as jnp
import rules
from app import total
from registry import dispatch, other

total(jnp.ones(2))
rules.install(other)
rules.install(dispatch)  # expect: PJ004/error
print(total(jnp.ones(2)))
