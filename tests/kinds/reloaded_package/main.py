"""A reload of a package runs its own file, and none of its modules."""
import importlib

import jax
import jax.numpy as jnp
import shapes
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return 10 * s


@dispatch
def volume(s: jax.Array):
    return 20 * s


@jax.jit
def price(s):
    return area(s)


@jax.jit
def weight(s):
    return volume(s)


x = jnp.array(1.0)
assert float(price(x)) == 10.0
assert float(weight(x)) == 20.0
importlib.reload(shapes)  # expect: PJ004
assert float(price(x)) == 10.0
jax.clear_caches()
assert float(price(x)) == 1.0
assert float(weight(x)) == 20.0
importlib.reload(shapes.extra)  # expect: PJ004
assert float(weight(x)) == 20.0
jax.clear_caches()
assert float(weight(x)) == 7.0
