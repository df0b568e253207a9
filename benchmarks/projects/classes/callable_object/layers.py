import equinox as eqx
import jax
from activations import activate


class Layer(eqx.Module):
    weight: jax.Array

    def __call__(self, a):
        return activate(self.weight * a)
