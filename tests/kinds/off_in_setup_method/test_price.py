"""`setup_method` and `teardown_method` switch jit."""
import jax
from lib import area, one, price
from plum import dispatch


class TestEagerly:
    def setup_method(self):
        jax.config.update("jax_disable_jit", True)

    def teardown_method(self, method):
        jax.config.update("jax_disable_jit", False)

    def test_price(self):
        assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
