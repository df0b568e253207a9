"""A jitted method calls `super()`, which calls the dispatched function."""

import jax.numpy as jnp
from derived import Derived

Derived().run(jnp.ones(2))
import late  # expect: PJ004/error

print(Derived().run(jnp.ones(2)))
