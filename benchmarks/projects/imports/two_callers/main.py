"""Two jitted functions in two modules hold the choice: one finding."""

import jax.numpy as jnp
import first
import second

first.run(jnp.ones(2))
second.run(jnp.ones(2))
import late  # expect: PJ004/error

print(first.run(jnp.ones(2)), second.run(jnp.ones(2)))
