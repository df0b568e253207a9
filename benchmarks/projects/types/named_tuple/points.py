from typing import NamedTuple
import jax


class Point(NamedTuple):
    x: jax.Array
    y: int
