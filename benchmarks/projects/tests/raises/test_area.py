"""The first test expects the lookup to fail: a trace that raised is not kept."""

import jax
import jax.numpy as jnp
import pytest
from app import area, other, total


def test_missing():
    other(jnp.ones(2))
    with pytest.raises(LookupError):
        total(jnp.ones(2))


def test_added():
    @area.dispatch
    def area_array(a: jax.Array):
        return a * 3

    assert total(jnp.ones(2))[0] == 36
