"""What the file does as a script it does not do under another name."""
import runpy

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
runpy.run_path("late.py")
assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 20.0
