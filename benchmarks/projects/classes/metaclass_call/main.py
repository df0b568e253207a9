"""The class is called through a metaclass of another module, which converts its argument."""

import jax.numpy as jnp
from quantities import Quantity
from work import build

build(jnp.ones(2))
import late  # expect: PJ004

print(build(jnp.ones(2)))
