import equinox as eqx
import jax
from plum import dispatch


class Vector(eqx.Module):
    data: jax.Array

    @dispatch
    def __add__(self, other: object):
        return self.data * 2


@jax.jit
def total(a, b):
    return a + b
