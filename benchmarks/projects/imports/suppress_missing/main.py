"""`contextlib.suppress` hides that the optional module is not there: what follows in the block does not run."""

import contextlib
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
with contextlib.suppress(ImportError):
    import a_library_that_is_not_there
    import late
print(total(jnp.ones(2)))
