import jax
from boxes import Box


@Box.__init__.dispatch
def __init__(self, a: jax.Array):
    self.value = a * 3
