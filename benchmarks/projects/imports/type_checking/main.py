"""An import under `if TYPE_CHECKING` does not run."""

from typing import TYPE_CHECKING
import jax.numpy as jnp
from app import total

total(jnp.ones(2))
if TYPE_CHECKING:
    import late
    from late import Width
print(total(jnp.ones(2)))
