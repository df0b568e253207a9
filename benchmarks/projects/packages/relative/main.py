"""Relative imports of one and two dots, with a function that extends on demand."""

import jax.numpy as jnp
from lib.work.run import total
from lib.plugins import switch_on

total(jnp.ones(2))
switch_on()  # expect: PJ004/error
print(total(jnp.ones(2)))
