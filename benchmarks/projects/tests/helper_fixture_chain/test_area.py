"""A fixture asks for another one, which compiles; then the first one extends."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.fixture
def warm():
    return total(jnp.ones(2))


@pytest.fixture
def faster(warm):
    @area.dispatch  # expect: PJ004
    def area_fast(a: jax.Array):
        return a * 3

    return warm


def test_faster(faster):
    assert faster[0] == 24 and total(jnp.ones(2))[0] in (24, 36)
