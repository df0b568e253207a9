import jax
from kernels import kernel


@jax.jit
def run(a):
    return 12 * kernel(a)
