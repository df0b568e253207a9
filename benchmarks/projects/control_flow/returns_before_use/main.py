"""The library's `warm_up` returns before the jitted call, for what it is given."""

import jax.numpy as jnp
from app import other, warm_up

other(jnp.ones(2))
warm_up(None)
import late

print(warm_up(jnp.ones(2)))
