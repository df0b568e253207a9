import jax
from kernels import kernel


@jax.checkpoint
def saved(a):
    return kernel(a) + 1
