"""A factory of another module makes the jitted function around the dispatched one."""

import jax.numpy as jnp
from factory import make
from kernels import kernel

run = make(kernel, 2.0)
run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
