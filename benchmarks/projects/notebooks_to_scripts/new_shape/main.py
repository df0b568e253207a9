"""The later call has another dtype: it traces anew. The first is used again all the same."""

# %%
import jax
import jax.numpy as jnp
from tools import area, total

# %%
total(jnp.ones(2))
# %%
import late  # expect: PJ004/error

total(jnp.ones(2, dtype=int))
total(jnp.ones(2))
