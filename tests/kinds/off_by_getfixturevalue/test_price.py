"""A fixture that is asked for by its name."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def eager():
    with jax.disable_jit():
        yield


def test_price(request):
    request.getfixturevalue("eager")
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
