"""A fixture that only the second test asks for extends the function."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.fixture
def faster():
    @area.dispatch  # expect: PJ004/error
    def area_fast(a: jax.Array):
        return a * 3

    return area_fast


def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_faster(faster):
    assert total(jnp.ones(2))[0] in (24, 36)
