"""A decorator jits unless the environment forbids it."""

# env: PROJECT_NO_JIT=1
import jax.numpy as jnp
from app import other, total

other(jnp.ones(2))
total(jnp.ones(2))
import late  # expect: PJ004/warning

print(total(jnp.ones(2)))
