import jax
from plum import dispatch
from speed import fast
from timing import timed


@dispatch
def area(a: jax.Array):
    return a * 2


@timed
@fast(inline=True)
@timed
def total(a):
    return area(a)
