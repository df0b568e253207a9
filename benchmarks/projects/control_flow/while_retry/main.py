"""A `while` loop tries backends until one registers what is missing."""

import jax.numpy as jnp
from app import total

names = ["text", "fast"]
total(jnp.ones(2))
while names:
    name = names.pop()
    if name == "fast":
        import fast  # expect: PJ004
    else:
        import text
print(total(jnp.ones(2)))
