import equinox as eqx
import jax
from plum import dispatch


class Quantity(eqx.Module):
    value: jax.Array

    @classmethod
    @dispatch
    def from_(cls, a: jax.Array):
        return cls(a * 2)
