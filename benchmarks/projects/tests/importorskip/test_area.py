"""`pytest.importorskip` imports the optional module in the second test."""

import jax.numpy as jnp
import pytest
from app import total


def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_fast():
    fast = pytest.importorskip("fast")  # expect: PJ004
    assert fast.NAME and total(jnp.ones(2))[0] in (24, 36)
