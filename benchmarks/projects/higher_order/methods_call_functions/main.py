"""A dispatched method calls another dispatched function, which the late module extends."""

import jax.numpy as jnp
from runner import run

run(jnp.ones(2))
import late  # expect: PJ004/error

print(run(jnp.ones(2)))
