"""`if TYPE_CHECKING` imports the register module only for the type checker, a lazy one for real."""

import jax.numpy as jnp
import lazykit

lazykit.total(jnp.ones(2))
lazykit.load("fast")  # expect: PJ004
print(lazykit.total(jnp.ones(2)))
