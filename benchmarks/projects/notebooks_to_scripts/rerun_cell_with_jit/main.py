"""The cell with the jitted function is run again too: a new function, so nothing is stale."""

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
del step


@dispatch
def weight(a: jax.Array):
    return a * 3


# %%
@jax.jit
def step(a):
    return mean(weight(a))


step(jnp.ones(2))
