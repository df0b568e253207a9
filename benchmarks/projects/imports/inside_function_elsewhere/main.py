"""The late import stands in a function of another module: the call is the place."""

import jax.numpy as jnp
import app
import plugins

app.total(jnp.ones(2))
plugins.activate()  # expect: PJ004/error
print(app.total(jnp.ones(2)))
