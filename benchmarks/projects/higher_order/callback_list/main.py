"""Plugins put their function into a list; the jitted function calls them all."""

import jax.numpy as jnp
import plugin_a
from hooks import run

run(jnp.ones(2))
import late  # expect: PJ004

print(run(jnp.ones(2)), plugin_a)
