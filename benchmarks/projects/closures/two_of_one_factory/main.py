"""Two functions of one factory: the one that was called holds a function that nobody extends."""

import jax.numpy as jnp
from factory import make
from kernels import kernel, other

run, rest = make(kernel), make(other)
rest(jnp.ones(2))
import late

print(run(jnp.ones(2)), rest(jnp.ones(2)))
