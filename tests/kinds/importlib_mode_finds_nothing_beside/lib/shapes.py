import jax
import jax.numpy as jnp
from plum import dispatch

one = jnp.array(1.0)


@dispatch
def area(s: jax.Array):
    return s


@jax.jit
def price(s):
    return 2 * area(s)
