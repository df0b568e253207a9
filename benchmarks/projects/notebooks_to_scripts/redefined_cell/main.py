"""A cell that defines the dispatched function is pasted twice, with a new body."""

# %%
import jax
import jax.numpy as jnp
from plum import dispatch
from tools import mean


# %%
@dispatch
def weight(a: jax.Array):
    return a * 2


# %%
@jax.jit
def step(a):
    return mean(weight(a))


step(jnp.ones(2))


# %%
@dispatch  # expect: PJ004/error
def weight(a: jax.Array):
    return a * 3


step(jnp.ones(2))
