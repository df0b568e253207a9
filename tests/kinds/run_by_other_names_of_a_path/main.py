"""The path goes through `abspath`, `realpath` and `fspath`, which leave it what it is."""
import os
import runpy
from pathlib import Path

import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return 10 * s


@jax.jit
def price(s):
    return 2 * area(s)


x = jnp.array(1.0)
assert float(price(x)) == 20.0
here = os.path.dirname(os.path.abspath(__file__))
runpy.run_path(os.path.join(here, "first.py"))  # expect: PJ004
assert float(price(x)) == 20.0
here = os.path.dirname(os.path.realpath(__file__))
runpy.run_path(os.path.join(here, "second.py"))  # expect: PJ004
assert float(price(x)) == 20.0
runpy.run_path(os.fspath(Path(__file__).parent / "third.py"))  # expect: PJ004
assert float(price(x)) == 20.0
jax.clear_caches()
assert float(price(x)) == 8.0
