"""Two mixins define `scale`; the first in the bases is used, and it calls nothing dispatched."""

import jax.numpy as jnp
from model import Model

Model().run(jnp.ones(2))
import late

print(Model().run(jnp.ones(2)))
