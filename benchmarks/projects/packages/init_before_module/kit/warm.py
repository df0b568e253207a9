import jax
import jax.numpy as jnp
from kit import area


@jax.jit
def total(a):
    return 12 * area(a)


RESULT = total(jnp.ones(2))
