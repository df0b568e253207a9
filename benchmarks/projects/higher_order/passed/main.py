"""The dispatched function is passed to a jitted one as a static argument."""

import jax.numpy as jnp
from kernels import kernel
from runner import run

run(kernel, jnp.ones(2))
import late  # expect: PJ004/error

print(run(kernel, jnp.ones(2)))
