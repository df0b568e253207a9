"""`request.addfinalizer` switches jit on again."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def eager(request):
    jax.config.update("jax_disable_jit", True)
    request.addfinalizer(lambda: jax.config.update("jax_disable_jit", False))


def test_eagerly(eager):
    assert float(price(one)) == 2.0


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 2.0
