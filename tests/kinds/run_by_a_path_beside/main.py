"""The path is made of `__file__`."""
import runpy
from pathlib import Path

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
HERE = Path(__file__).resolve().parent
runpy.run_path(str(HERE / "parts" / "late.py"), run_name="__main__")  # expect: PJ004

assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 2.0
