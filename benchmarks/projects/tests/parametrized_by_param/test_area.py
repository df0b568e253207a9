"""Sets of values in `pytest.param`: one is left out by its own mark, the other compiles."""

import jax
import jax.numpy as jnp
import pytest
from app import area, other, total, turned


@pytest.mark.parametrize(
    "compiled",
    [
        pytest.param(turned, marks=pytest.mark.skip(reason="slow")),
        pytest.param(total, id="whole"),
    ],
)
def test_compiled(compiled):
    compiled(jnp.ones(2))


def test_faster():
    @other.dispatch
    def other_fast(a: jax.Array):
        return a * 3

    @area.dispatch  # expect: PJ004/error
    def area_fast(a: jax.Array):
        return a * 3
