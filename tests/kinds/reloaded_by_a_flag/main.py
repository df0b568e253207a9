"""What a flag of another module decides in the second run."""
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
flags.ROUNDED = True
importlib.reload(rules)  # expect: PJ004
assert float(price(x)) == 2.0
jax.clear_caches()
assert float(price(x)) == 12.0
