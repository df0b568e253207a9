"""A new outer function, made after the registration, takes the stale inner trace."""

import jax.numpy as jnp
from inner import inner

inner(jnp.ones(2))
import late  # expect: PJ004/error
from outer import outer

print(outer(jnp.ones(2)))
