import jax
from plum import dispatch


@dispatch
def model(a: jax.Array):
    return a * 2


@jax.jit
def fit(a):
    return 12 * model(a)
