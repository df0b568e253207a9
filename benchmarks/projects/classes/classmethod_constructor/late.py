import jax
from quantity import Quantity


@Quantity.from_.dispatch
def from_(cls: type[Quantity], a: jax.Array):
    return cls(a * 3)
