"""The plugins' names are a constant of another module."""

import jax.numpy as jnp
from app import total
from plugins import load_all

total(jnp.ones(2))
load_all()  # expect: PJ004
print(total(jnp.ones(2)))
