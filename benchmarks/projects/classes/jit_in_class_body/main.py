"""A class attribute holds a jitted function, called through an instance's method."""

import jax.numpy as jnp
from model import Model

Model().predict(jnp.ones(2))
import late  # expect: PJ004/error

print(Model().predict(jnp.ones(2)))
