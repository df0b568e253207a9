import jax
from plum import dispatch
from units import Metre


@dispatch
def convert_to(unit: type[Metre], a: jax.Array):
    return a * 3
