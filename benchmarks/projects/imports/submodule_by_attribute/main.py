"""`import shapes` is enough for `shapes.late`, which another module has imported as a submodule."""

import jax.numpy as jnp
import shapes
import loader

shapes.flat.total(jnp.ones(2))
loader.load()  # expect: PJ004/error
print(shapes.late, shapes.flat.total(jnp.ones(2)))
