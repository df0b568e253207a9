import jax
from numbers_ import Big, Small
from plum import promote


@jax.jit
def total(a):
    one, other = promote(Small(a), Big(a))
    return one.value + other.value
