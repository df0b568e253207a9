"""A generator of another module makes the jitted calls while it is consumed."""

import jax.numpy as jnp
from app import stream

for value in stream(jnp.ones(2)):
    print(value)
import late  # expect: PJ004

print(list(stream(jnp.ones(2))))
