import jax
from plum import dispatch
from lengths import Length, Raw


@dispatch
def measure(a: jax.Array) -> Length:
    return Raw(a)


@jax.jit
def total(a):
    return measure(a).value
