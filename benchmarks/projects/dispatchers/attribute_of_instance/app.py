import jax
from registry import RULES


@RULES.rule
def area(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)
