"""What the file does as a script."""
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
runpy.run_path("late.py", run_name="__main__")  # expect: PJ004

assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 2.0
