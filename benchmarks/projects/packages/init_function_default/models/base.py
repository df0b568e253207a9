import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def scale(a: jax.Array):
    return a * 2


@jax.jit
def prepare(a):
    return 12 * scale(a)


def run(start=prepare(jnp.ones(2))):
    return start
