"""`jax.jit` of the dispatched function in two modules: one trace cache."""

import jax.numpy as jnp
import first

first.run(jnp.ones(2))
import late  # expect: PJ003/error
import second

print(second.run(jnp.ones(2)))
