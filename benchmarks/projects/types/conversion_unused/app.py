import jax
from plum import dispatch
from lengths import Length


@dispatch
def measure(a: jax.Array) -> Length:
    return Length(a)


@jax.jit
def total(a):
    return measure(a).value
