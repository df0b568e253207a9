from typing import Literal
import jax
from plum import dispatch


@dispatch
def solve(a: jax.Array, how: Literal["fast"]):
    return a * 3
