import jax
from layers import Layer


@Layer.__call__.dispatch
def __call__(self, a: jax.Array):
    return 3 * self.weight * a
