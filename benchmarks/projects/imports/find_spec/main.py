"""A plugin is imported if `find_spec` finds it; it does."""

from importlib.util import find_spec
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if find_spec("late") is not None:
    import late  # expect: PJ004
print(total(jnp.ones(2)))
