"""A module that registers the same methods once more changes no choice."""
import importlib

import jax
import jax.numpy as jnp
import rules
from rules import area


@jax.jit
def price(s):
    return 2 * area(s)


x = jnp.array(1.0)
assert float(price(x)) == 2.0
importlib.reload(rules)
assert float(price(x)) == 2.0
jax.clear_caches()
assert float(price(x)) == 2.0
