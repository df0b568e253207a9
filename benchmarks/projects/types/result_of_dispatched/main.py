"""The argument is what another dispatched function returns: its method tells the class."""

import jax.numpy as jnp
from app import total

total(jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
