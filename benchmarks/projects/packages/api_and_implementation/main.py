"""An api package and an implementation package below `src`, as coordinax and unxt are laid out."""

import jax.numpy as jnp
import geo

geo.distance(jnp.ones(2))
import geo_interop  # expect: PJ004/error

print(geo.distance(jnp.ones(2)), geo_interop)
