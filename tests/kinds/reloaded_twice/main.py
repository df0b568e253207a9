"""In a loop: the second round finds what the first has done."""
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


x = jnp.array(1.0)
assert float(price(x)) == 20.0
for _ in range(2):
    importlib.reload(rules)  # expect: PJ004

assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 2.0
