"""`table[a]` goes to a `__getitem__` that calls the dispatched function."""

import jax.numpy as jnp
from table import Table, total

total(Table(jnp.ones(2)))
import late  # expect: PJ004/error

print(total(Table(jnp.ones(2))))
