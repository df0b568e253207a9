import jax
from plum import dispatch


@dispatch  # expect: PJ004/error
def weight(a: jax.Array):
    return a * 3
