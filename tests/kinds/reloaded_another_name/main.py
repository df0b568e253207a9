"""Another module is taken out: the import that follows runs nothing."""
import sys

import others

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
sys.modules.pop("others", None)
sys.modules.pop("rule", None)
import others
import rules
assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 20.0
