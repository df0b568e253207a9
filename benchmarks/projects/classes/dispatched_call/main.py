"""A dispatched `__call__`, extended for a subclass of the argument's class by a later module."""

import jax.numpy as jnp
from layers import Layer
from work import run

run(Layer(jnp.ones(2)), jnp.ones(2))
import late  # expect: PJ004/error

print(run(Layer(jnp.ones(2)), jnp.ones(2)))
