"""A parametrised test extends one function or another, and only one of them was compiled."""

import jax
import jax.numpy as jnp
import pytest
from app import area, other, total


@pytest.mark.parametrize("function", [area, other])
@pytest.mark.parametrize(("factor", "name"), [(2, "two")])
def test_extends(function, factor, name):
    if name == "three":
        total(jnp.ones(2))

    @function.dispatch
    def extended(a: jax.Array):
        return a * factor


def test_total():
    assert total(jnp.ones(2))[0] == 24
