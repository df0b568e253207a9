"""Extends for types of its own."""

import jax
import jax.numpy as jnp
from app import area, total


def test_extension():
    @area.dispatch
    def area_fast(a: jax.Array):
        return a * 3

    assert total(jnp.ones(2))[0] == 36
