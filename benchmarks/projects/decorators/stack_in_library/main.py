"""`jit` above `dispatch` in a library: the function itself was traced, so the code is PJ003."""

import jax.numpy as jnp
from lib import area

area(jnp.ones(2))
import late  # expect: PJ003/error

print(area(jnp.ones(2)))
