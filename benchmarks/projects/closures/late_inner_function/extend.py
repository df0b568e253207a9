import jax
from plum import dispatch


def faster(factor):
    @dispatch
    def kernel(a: jax.Array):
        return a * factor

    return kernel
