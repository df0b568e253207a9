"""The first jitted call depends on the environment, the late import does not."""

# env: PROJECT_WARM=1
import os
import jax
import jax.numpy as jnp
import app

jax.jit(lambda a: a + 1)(jnp.ones(2))
if os.environ.get("PROJECT_WARM"):
    app.total(jnp.ones(2))
import late  # expect: PJ004/warning

print(app.total(jnp.ones(2)))
