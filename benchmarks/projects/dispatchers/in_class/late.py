import jax
from registry import Special


@Special.rules
def area(a: jax.Array):
    return a * 3
