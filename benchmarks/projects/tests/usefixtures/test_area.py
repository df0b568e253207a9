"""`usefixtures` brings a fixture of the file that extends, for the second test."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.fixture
def faster():
    @area.dispatch  # expect: PJ004
    def area_fast(a: jax.Array):
        return a * 3


def test_total():
    assert total(jnp.ones(2))[0] == 24


@pytest.mark.usefixtures("faster")
def test_faster():
    assert total(jnp.ones(2))[0] in (24, 36)
