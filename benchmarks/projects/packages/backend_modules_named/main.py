"""As backend_modules, in a package whose name no library has: the backend module registers its methods after use, clearing only plum's caches."""

import jax.numpy as jnp
import blas as B
from work import total

total(jnp.ones(2))
import blas.fast  # expect: PJ004/error

print(total(jnp.ones(2)), B)
