"""`if not TYPE_CHECKING` does run."""

import typing
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if not typing.TYPE_CHECKING:
    import late  # expect: PJ004/error
print(total(jnp.ones(2)))
