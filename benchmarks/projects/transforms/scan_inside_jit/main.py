"""The body of a scan inside a jitted function, body and kernel each in a module."""

import jax.numpy as jnp
from loop import run

run(jnp.ones(3))
import late  # expect: PJ004/error

print(run(jnp.ones(3)))
