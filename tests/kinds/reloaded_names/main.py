"""`from rules import price` keeps the function of the first run; `rules.price` is that of the second."""
import importlib

import jax
import jax.numpy as jnp
import rules
from plum import dispatch
from rules import price

x = jnp.array(1.0)
assert float(price(x)) == 2.0
importlib.reload(rules)


@dispatch  # expect: PJ004
def area(s: jax.Array):
    return 10 * s


assert float(price(x)) == 2.0
assert float(rules.price(x)) == 20.0
