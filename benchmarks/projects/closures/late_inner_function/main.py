"""An inner function registers when its outer one is called, in another module."""

import jax.numpy as jnp
import extend
from kernels import run

run(jnp.ones(2))
extend.faster(3)  # expect: PJ004/error
print(run(jnp.ones(2)))
