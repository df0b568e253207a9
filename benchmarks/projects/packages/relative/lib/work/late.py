import jax
from ..core import area


@area.dispatch
def area(a: jax.Array):
    return a * 3
