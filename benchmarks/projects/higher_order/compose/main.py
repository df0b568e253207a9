"""`compose(f, g)` of another module, jitted at module level of a third."""

import jax.numpy as jnp
from pipeline import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
