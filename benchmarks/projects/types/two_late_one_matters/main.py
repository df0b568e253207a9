"""The first late method takes the choice over; the second one is wider and changes nothing."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import first_late  # expect: PJ004/error
import second_late

print(total(jnp.ones(2)))
