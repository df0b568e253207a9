"""A fixture of the file compiles in its setup; the test that asks for it extends."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.fixture
def warm():
    yield total(jnp.ones(2))
    assert total(jnp.ones(2))[0] in (24, 36)


def test_faster(warm):
    @area.dispatch  # expect: PJ004
    def area_fast(a: jax.Array):
        return a * 3

    assert warm[0] == 24
