from plum import dispatch
import jax


@dispatch
def area(a: int):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)


@jax.jit
def other(a):
    return a + 1
