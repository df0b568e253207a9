"""In the second round of the loop the registration comes after the call of the first."""

import jax.numpy as jnp
import extend
from app import total

for factor in (3, 4):
    extend.faster(factor)  # expect: PJ004
    total(jnp.ones(2))
