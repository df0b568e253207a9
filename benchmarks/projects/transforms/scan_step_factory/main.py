"""A step made once by a factory of another module is scanned twice."""

import jax.numpy as jnp
from loop import run

run(jnp.ones(3))
import late  # expect: PJ004/error

print(run(jnp.ones(3)))
