"""`setup_module` switches jit off for all tests of a file."""
import jax
from lib import area, one, price
from plum import dispatch


def setup_module(module):
    jax.config.update("jax_disable_jit", True)


def teardown_module(module):
    jax.config.update("jax_disable_jit", False)


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
