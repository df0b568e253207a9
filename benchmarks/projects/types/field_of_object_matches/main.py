"""As field_of_object, with a late method for the field's class."""

import jax.numpy as jnp
from app import total
from bodies import Body, Mass

total(Body(Mass(jnp.ones(2)), jnp.ones(2)))
import late  # expect: PJ004

print(total(Body(Mass(jnp.ones(2)), jnp.ones(2))))
