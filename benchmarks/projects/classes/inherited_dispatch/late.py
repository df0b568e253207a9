import jax
from base import Base


@Base.scale.dispatch
def scale(self, a: jax.Array):
    return a * 3
