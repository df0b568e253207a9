"""The argument is a field of an object whose class names its type."""

import jax.numpy as jnp
from app import total
from bodies import Body, Mass

total(Body(Mass(jnp.ones(2)), jnp.ones(2)))
import late

print(total(Body(Mass(jnp.ones(2)), jnp.ones(2))))
