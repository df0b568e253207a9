"""`while_loop` keeps its condition's trace, too."""

import jax.numpy as jnp
from loop import run

run(jnp.float32(1))
import late  # expect: PJ004/error

print(run(jnp.float32(1)))
