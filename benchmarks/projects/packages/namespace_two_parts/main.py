"""Two parts of a namespace package, each with modules of the same names."""

import jax.numpy as jnp
from ns.core.rules import total

total(jnp.ones(2))
import ns.extra.rules  # expect: PJ004/error

print(total(jnp.ones(2)), ns)
