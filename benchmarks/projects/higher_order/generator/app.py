import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)


def stream(a):
    for _ in range(2):
        yield total(a)
