"""`xfail(run=False)` keeps a test from running, and so from compiling."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.mark.xfail(run=False, reason="hangs")
def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_faster():
    @area.dispatch
    def area_fast(a: jax.Array):
        return a * 3

    assert total(jnp.ones(2))[0] == 36
