"""A stack that mixes jit and dispatch is told of where it stands, whoever imports its file."""
import jax.numpy as jnp
from lib import f

f(jnp.ones(2))
