import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def rescale(a: jax.Array):
    return a * 2


@jax.jit
def run(a):
    return 12 * rescale(a)


class Model:
    scale = run(jnp.ones(2))
