"""An executable from `.lower().compile()` stays as it is."""

import jax.numpy as jnp
from lib import compiled

compiled(jnp.ones(2))
import late  # expect: PJ004/error

print(compiled(jnp.ones(2)))
