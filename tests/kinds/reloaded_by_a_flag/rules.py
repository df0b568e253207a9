import flags
import jax
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return s


if flags.ROUNDED:

    @dispatch
    def area(s: jax.Array):
        return jax.numpy.round(s) + 5
