import jax
from plum import dispatch
from units import Metre


@dispatch
def convert_to(unit: type, a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return convert_to(Metre, a)
