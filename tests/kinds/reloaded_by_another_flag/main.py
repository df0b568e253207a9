"""The flag that decides is as it was."""
import importlib

import flags
import jax
import jax.numpy as jnp
import rules


@jax.jit
def price(s):
    return 2 * rules.area(s)


x = jnp.array(1.0)
assert float(price(x)) == 2.0
flags.VERBOSE = True
importlib.reload(rules)
assert float(price(x)) == 2.0
jax.clear_caches()
assert float(price(x)) == 2.0
