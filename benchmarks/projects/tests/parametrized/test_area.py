"""A parametrized test extends in its first round and compiles in each."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.mark.parametrize("factor", [2, 3])
def test_factor(factor):
    @area.dispatch  # expect: PJ004
    def area_scaled(a: jax.Array):
        return a * factor

    assert total(jnp.ones(2))[0] == 24
