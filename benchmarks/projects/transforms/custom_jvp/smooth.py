import jax
from kernels import kernel


@jax.custom_jvp
def smooth(a):
    return kernel(a)


@smooth.defjvp
def _(primals, tangents):
    return smooth(*primals), tangents[0]
