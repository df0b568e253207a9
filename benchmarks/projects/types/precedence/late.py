import jax
from plum import dispatch


@dispatch(precedence=-1)
def area(a: jax.Array):
    return a * 3
