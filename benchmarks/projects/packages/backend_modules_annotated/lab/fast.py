import jax
import plum
from . import dispatch


@dispatch
def multiply(a: jax.Array, b: jax.Array):
    return 2 * a * b


plum.clear_all_cache()
