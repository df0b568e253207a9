"""`import app, late`: one line, and the call comes between this and an earlier import of it."""

import jax.numpy as jnp
import late, app

app.total(jnp.ones(2))
import late, other  # expect: PJ004/error

print(app.total(jnp.ones(2)), late, other)
