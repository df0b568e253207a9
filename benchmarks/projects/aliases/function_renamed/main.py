"""The function is imported under another name and extended by attribute."""

import jax
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
from app import area as surface


@surface.dispatch  # expect: PJ004/error
def flat_surface(a: jax.Array):
    return a * 3


print(total(jnp.ones(2)))
