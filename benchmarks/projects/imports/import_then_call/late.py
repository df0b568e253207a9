import jax
from plum import dispatch


def register_all():
    @dispatch
    def area(a: jax.Array):
        return a * 3
