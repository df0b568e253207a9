"""The dispatched function travels as a keyword through `**options`."""

import jax.numpy as jnp
from app import run
from kernels import kernel

run(jnp.ones(2), function=kernel)
import late  # expect: PJ004

print(run(jnp.ones(2), function=kernel))
