import jax
import backend as B


@B.add.dispatch
def _add_fast(a: jax.Array):
    return a * 3
