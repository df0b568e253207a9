import jax
from plum import dispatch
from second import g


@dispatch
def f(a: jax.Array):
    return g(a, 1)


@jax.jit
def run(a):
    return 12 * f(a)
