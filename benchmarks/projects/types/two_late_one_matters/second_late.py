import app  # noqa: F401
import jax
from plum import dispatch


@dispatch
def area(a: jax.Array | str):
    return a * 4
