"""`f.register` is called for a function that is not decorated, in a helper of another module."""

import jax.numpy as jnp
import setup
from kernels import run

run(jnp.ones(2))
setup.install()  # expect: PJ004/error
print(run(jnp.ones(2)))
