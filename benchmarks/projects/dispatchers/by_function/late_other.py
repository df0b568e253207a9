import jax
from registry import second


@second
def area(a: jax.Array):
    return a * 4
