"""The factory is under `lru_cache`: the same jitted function comes back."""

import jax.numpy as jnp
from factory import make
from kernels import kernel

make(2.0)(jnp.ones(2))
import late  # expect: PJ004

print(make(2.0)(jnp.ones(2)), kernel)
