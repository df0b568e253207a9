"""A plugin is imported inside a function that runs after the first jitted call."""

import jax.numpy as jnp
import app


def enable():
    import plugin  # expect: PJ004/error

    return plugin


app.total(jnp.ones(2))
enable()
print(app.total(jnp.ones(2)))
