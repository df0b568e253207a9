import jax
from kernels import kernel


def tripled(a: jax.Array):
    return a * 3


def install():
    kernel.register(tripled)
