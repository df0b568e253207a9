"""Without `teardown_method` it stays off."""
import jax
from lib import area, one, price
from plum import dispatch


class TestEagerly:
    def setup_method(self):
        jax.config.update("jax_disable_jit", True)

    def test_price(self):
        assert float(price(one)) == 2.0


def test_after():
    assert float(price(one)) == 2.0


def teardown_module():
    jax.config.update("jax_disable_jit", False)


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
