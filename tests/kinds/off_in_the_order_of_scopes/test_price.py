"""A fixture of the session is made before one of the function, whoever comes first."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def eager():
    with jax.disable_jit():
        yield


@pytest.fixture(scope="session")
def compiled():
    return price(one)


def test_price(eager, compiled):
    assert float(price(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 2.0
