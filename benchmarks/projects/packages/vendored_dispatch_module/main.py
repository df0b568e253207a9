"""The project's own `utils.dispatch` module hands plum's dispatcher and types on, as netket's does."""

import jax.numpy as jnp
from nk.expect import expect

expect(jnp.ones(2))
import nk.fast  # expect: PJ004/error

print(expect(jnp.ones(2)), nk.fast)
