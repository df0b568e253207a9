import jax
import backend as B


@jax.jit
def total(a):
    return 12 * B.add(a)
