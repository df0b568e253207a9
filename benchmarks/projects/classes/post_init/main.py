"""A dataclass makes the jitted call in `__post_init__`."""

import jax.numpy as jnp
from state import State

state = State(jnp.ones(2))
import late  # expect: PJ004/error

print(State(jnp.ones(2)).total, state)
