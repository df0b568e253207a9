import importlib.util
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def frame(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * frame(a)


def load_interop():
    if importlib.util.find_spec("plum") is not None:
        from . import interop  # noqa: F401
