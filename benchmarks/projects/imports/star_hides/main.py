"""`__all__` leaves the jitted function out: what is called is one of the same name that is not jitted."""

import jax.numpy as jnp
from plain import *
from jitted import *

warm(jnp.ones(2))
apply(jnp.ones(2))
import late

print(apply(jnp.ones(2)), kernel)
