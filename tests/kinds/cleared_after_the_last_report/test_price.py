"""`trylast`: after pytest's own teardown."""
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
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
