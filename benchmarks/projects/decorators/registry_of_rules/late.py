import jax
from rules import rule


@rule
def area(a: jax.Array):
    return a * 3
