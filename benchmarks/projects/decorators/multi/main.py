"""`@f.dispatch_multi` and `dispatch.multi` give the signatures in the decorator."""

import jax.numpy as jnp
from lib import total

total(jnp.ones(2))
import late  # expect: PJ004/error

print(total(jnp.ones(2)))
