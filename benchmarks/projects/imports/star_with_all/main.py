"""A star import brings what `__all__` names, and runs the module for its registrations."""

import jax.numpy as jnp
from kernels import *

apply(jnp.ones(2))
from more_kernels import *  # expect: PJ004/error

print(apply(jnp.ones(2)))
