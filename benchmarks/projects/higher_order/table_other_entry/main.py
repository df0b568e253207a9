"""Another entry of the table is extended: harmless."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late

print(run(jnp.ones(2)))
