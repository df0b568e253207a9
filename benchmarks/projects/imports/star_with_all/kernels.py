import jax
import jax.numpy as jnp
from plum import dispatch

__all__ = ["apply", "kernel"]


@dispatch
def kernel(a: jax.Array):
    return a * 2


@jax.jit
def apply(a):
    return kernel(a) + _offset()


def _offset():
    return 1
