import equinox as eqx
import jax
from products import product


class Vector(eqx.Module):
    data: jax.Array

    def __rmul__(self, other):
        return product(other, self.data)


@jax.jit
def total(a):
    return 2 * a
