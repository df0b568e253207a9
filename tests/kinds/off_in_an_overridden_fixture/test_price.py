"""A fixture that overrides another of its name, and asks for it."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


@pytest.fixture
def mode(mode):
    jax.config.update("jax_disable_jit", mode)
    yield mode
    jax.config.update("jax_disable_jit", False)


def test_price(mode):
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
