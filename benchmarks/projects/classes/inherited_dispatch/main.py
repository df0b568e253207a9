"""The dispatched method is inherited; the late registration extends the base's function."""

import jax.numpy as jnp
from derived import Derived

model = Derived()
model.run(jnp.ones(2))
import late  # expect: PJ004/error

print(model.run(jnp.ones(2)))
