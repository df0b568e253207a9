"""A fixture of the class clears when its tests are over."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture(scope="class")
def fresh():
    yield
    jax.clear_caches()


@pytest.mark.usefixtures("fresh")
class TestPrice:
    def test_price(self):
        assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
