"""The late import stands in a class body."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))


class Settings:
    import late  # expect: PJ004/error


print(total(jnp.ones(2)), Settings.late)
