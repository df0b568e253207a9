import jax
import jax.numpy as jnp
from core import area

ONES = jnp.ones(2)


@jax.jit
def total(a):
    return 12 * area(a)


total(ONES)
