"""The jitted function goes with the call that made it, and its trace with it: harmless."""

import jax.numpy as jnp
from once import compute

compute(jnp.ones(2))
import late

print(compute(jnp.ones(2)))
