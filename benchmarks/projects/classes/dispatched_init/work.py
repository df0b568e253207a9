import jax
from boxes import Box


@jax.jit
def build(a):
    return Box(a).value
