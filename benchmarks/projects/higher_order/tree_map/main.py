"""`jax.tree.map` calls the dispatched function on each leaf while tracing."""

import jax.numpy as jnp
from runner import run

run({"a": jnp.ones(2)})
import late  # expect: PJ004

print(run({"a": jnp.ones(2)}))
