"""The dispatcher is called as a function, on functions of other modules."""

import jax.numpy as jnp
import kernels
from app import total
from plum import dispatch

total(jnp.ones(2))
dispatch(kernels.area)  # expect: PJ004/error
print(total(jnp.ones(2)))
