"""A fixture of `conftest.py` extends, for the second test: the test asks for it too late."""

import jax.numpy as jnp
from app import total


def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_faster(faster):  # expect: PJ004
    assert total(jnp.ones(2))[0] in (24, 36)
