"""A helper cell that extends is run in the middle of the notebook."""

# %%
import jax
import jax.numpy as jnp
from plum import dispatch
from tools import total


# %%
def extend(factor):
    @dispatch  # expect: PJ004/error
    def area(a: jax.Array):
        return a * factor


# %%
total(jnp.ones(2))
# %%
extend(3)
total(jnp.ones(2))
