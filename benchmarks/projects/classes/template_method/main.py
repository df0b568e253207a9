"""The base's jitted `run` calls `self.step`, which a subclass in another module overrides."""

import jax.numpy as jnp
from derived import Fast

fast = Fast()
fast.run(jnp.ones(2))
import late  # expect: PJ004/error

print(fast.run(jnp.ones(2)))
