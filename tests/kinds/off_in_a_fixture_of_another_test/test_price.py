"""The fixture is another test's: this one compiles."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def eager():
    with jax.disable_jit():
        yield


def test_eagerly(eager):
    assert float(price(one)) == 2.0


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 2.0
