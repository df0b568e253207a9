"""Registers a method of the notebooks' own function, and fails."""

import jax
from plum import dispatch

FACTOR = 3


@dispatch
def area(a: jax.Array):
    return a * FACTOR


raise ValueError("meant to be seen")
