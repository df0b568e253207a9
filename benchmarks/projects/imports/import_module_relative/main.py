"""`import_module(".name", __name__)` inside a package's function."""

import jax.numpy as jnp
import engine

engine.total(jnp.ones(2))
engine.load_fast()  # expect: PJ004/error
print(engine.total(jnp.ones(2)))
