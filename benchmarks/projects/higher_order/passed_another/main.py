"""Another function is passed than the one that is extended: harmless."""

import jax.numpy as jnp
from kernels import kernel, other
from runner import run

run(other, jnp.ones(2))
import late

print(run(other, jnp.ones(2)), kernel)
