"""A fixture of the module keeps jit off until its last test is over."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture(scope="module", autouse=True)
def eager():
    jax.config.update("jax_disable_jit", True)
    yield
    jax.config.update("jax_disable_jit", False)


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
