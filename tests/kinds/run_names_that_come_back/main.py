"""`run_path` gives the names of the file that has run."""
import runpy

import jax
import jax.numpy as jnp
from plum import dispatch

price = runpy.run_path("step.py")["price"]
x = jnp.array(1.0)
assert float(price(x)) == 20.0


@dispatch  # expect: PJ004
def area(s: jax.Array):
    return s


assert float(price(x)) == 20.0
