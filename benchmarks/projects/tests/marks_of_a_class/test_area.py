"""The marks of a class hold for its methods, those of the module for all."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture
def compiled():
    return total(jnp.ones(2))


@pytest.mark.skip
class TestSkipped:
    def test_faster(self):
        @area.dispatch
        def area_skipped(a: jax.Array):
            return a * 4


class TestTotal:
    def test_faster(self):
        @area.dispatch  # expect: PJ004
        def area_fast(a: jax.Array):
            return a * 3

        assert total(jnp.ones(2))[0] == 24
