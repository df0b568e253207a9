"""A decorator factory with options that jits with static names."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2), "up")
import late  # expect: PJ004/error

print(total(jnp.ones(2), "up"))
