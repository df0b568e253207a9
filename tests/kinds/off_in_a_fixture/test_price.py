"""A fixture keeps jit switched off while its test runs."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def eager():
    with jax.disable_jit():
        yield


def test_price(eager):
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
