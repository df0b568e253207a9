"""A lazy package with a table of names to modules, `_LAZY = {"name": ".module"}`."""

import jax.numpy as jnp
import toolkit

toolkit.total(jnp.ones(2))
print(toolkit.fast_area)  # expect: PJ004
print(toolkit.total(jnp.ones(2)))
