"""The generator is made and not consumed before the import: no call yet."""

import jax.numpy as jnp
from app import other, stream

other(jnp.ones(2))
values = stream(jnp.ones(2))
import late

print(list(values))
