import jax
from kernels import kernel


def apply(a, function=kernel):
    return function(a)


@jax.jit
def run(a):
    return apply(a)
