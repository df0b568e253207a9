import equinox as eqx
import jax
from norms import norm


class Vector(eqx.Module):
    data: jax.Array

    @property
    def length(self):
        return norm(self.data)


@jax.jit
def total(v):
    return v.length
