"""As template_method, but the subclass that is used keeps the base's `step`: harmless."""

import jax.numpy as jnp
from derived import Fast, Plain

plain = Plain()
plain.run(jnp.ones(2))
import late

print(plain.run(jnp.ones(2)), Fast)
