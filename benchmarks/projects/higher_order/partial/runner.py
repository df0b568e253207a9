import jax
from tools import square


@jax.jit
def run(a):
    return square(a)
