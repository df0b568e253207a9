"""Registers a method of the notebooks' own function."""

import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 3
