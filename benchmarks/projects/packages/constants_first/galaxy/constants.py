import jax.numpy as jnp
from .units import to_base

G = to_base(jnp.ones(1))
