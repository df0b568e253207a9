import jax
from plum import dispatch


class Base:
    @dispatch
    def scale(self, a: jax.Array):
        return a * 2
