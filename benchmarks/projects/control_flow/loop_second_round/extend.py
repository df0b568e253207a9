import jax
from plum import dispatch


def faster(factor):
    @dispatch
    def area(a: jax.Array):
        return a * factor
