"""Whether the module is reloaded is not known."""
import importlib
import os

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


x = jnp.array(1.0)
assert float(price(x)) == 20.0
if "RELOAD_RULES" in os.environ:
    importlib.reload(rules)  # expect: PJ004/warning
assert float(price(x)) == 20.0
