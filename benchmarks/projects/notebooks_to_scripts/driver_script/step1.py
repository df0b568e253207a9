import jax.numpy as jnp


def load():
    return jnp.ones(2)
