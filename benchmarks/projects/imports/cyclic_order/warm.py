# fails: ImportError
import jax
import jax.numpy as jnp
from shapes import area


@jax.jit
def total(a):
    return 12 * area(a)


WARM = total(jnp.ones(2))
