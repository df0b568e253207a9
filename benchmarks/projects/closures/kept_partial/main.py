"""`jax.jit(partial(f, 2))` is kept by a module: one partial, one trace."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
