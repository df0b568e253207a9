import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return 10 * s


@jax.jit
def price(s):
    return 2 * area(s)
