"""`import lab.jax`-like: the backend module registers its methods after use, clearing only plum's caches."""

import jax.numpy as jnp
import lab as B
from work import total

total(jnp.ones(2))
import lab.fast  # expect: PJ004/error

print(total(jnp.ones(2)), B)
