"""A hook without `trylast` runs before the fixtures end."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def used():
    yield
    price(one)


def test_price(used):
    pass


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 2.0
