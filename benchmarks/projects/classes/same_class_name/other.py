import jax
from plum import dispatch


class Model:
    @dispatch
    def scale(self, a: jax.Array):
        return a * 3
