"""A decorator collects rules in a list; `install()` registers them all later."""

import jax.numpy as jnp
import late
from app import total
from rules import install

total(jnp.ones(2))
install()  # expect: PJ004
print(total(jnp.ones(2)), late)
