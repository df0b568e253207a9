import jax
from plum import dispatch


@dispatch
def area(a: jax.Array, scale: int = 3):
    return a * scale
