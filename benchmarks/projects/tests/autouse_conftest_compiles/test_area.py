"""An autouse fixture of `conftest.py` compiles before each test; the test extends."""

import jax
import jax.numpy as jnp
from app import area, total


def test_faster():
    @area.dispatch  # expect: PJ004
    def area_fast(a: jax.Array):
        return a * 3

    assert total(jnp.ones(2))[0] in (24, 36)
