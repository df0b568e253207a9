"""The module is taken out before it was ever imported: it runs once, in time."""
import sys

import jax
import jax.numpy as jnp
from plum import dispatch

sys.modules.pop("rules", None)
import rules


@jax.jit
def price(s):
    return 2 * rules.area(s)


x = jnp.array(1.0)
assert float(price(x)) == 2.0
import rules

assert float(price(x)) == 2.0
