"""A method that is compiled by itself: a common idiom, and worth a note."""

import jax
from plum import dispatch
from shapes import Shape


@dispatch
@jax.jit
def scale(shape: Shape, by: jax.Array):
    return Shape(shape.width * by)
