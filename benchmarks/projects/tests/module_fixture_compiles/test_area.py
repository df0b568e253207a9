"""A fixture of `conftest.py` makes the jitted call that a test then leaves behind."""

import jax
from app import area, total


def test_faster(warm):
    @area.dispatch  # expect: PJ004/error
    def area_fast(a: jax.Array):
        return a * 3

    assert total(warm)[0] in (24, 36)
