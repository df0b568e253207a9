import jax
import jax.numpy as jnp

Tensor = jnp.ndarray
