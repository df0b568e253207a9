import jax
from plum import dispatch
from units import Second


@dispatch
def convert_to(unit: type[Second], a: jax.Array):
    return a * 3
