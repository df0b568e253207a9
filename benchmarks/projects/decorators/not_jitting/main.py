"""A decorator that is called `jit` and does not compile: nothing is kept, but for another function."""

import jax.numpy as jnp
from app import other, total

other(jnp.ones(2))
total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
