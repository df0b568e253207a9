"""The module is reloaded before anything is compiled."""
import importlib

import jax
import jax.numpy as jnp
import rules
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return 10 * s


@jax.jit
def price(s):
    return 2 * area(s)


importlib.reload(rules)
x = jnp.array(1.0)
assert float(price(x)) == 2.0
