import jax
from middle import second


def first(a):
    return second(a) + 1


@jax.jit
def run(a):
    return first(a)
