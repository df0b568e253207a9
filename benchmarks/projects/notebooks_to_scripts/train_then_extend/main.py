"""A model is trained, then its loss is extended for the very same inputs."""

# %%
import jax
import jax.numpy as jnp
from losses import loss
from train import train

# %%
weights = train(jnp.ones(2), steps=2)
# %% now a better loss
import better_losses  # expect: PJ004/error

# %%
weights = train(weights, steps=2)
print(weights, loss)
