import jax
from model import Model


@Model.scale.dispatch
def scale(self, a: jax.Array):
    return a * 3
