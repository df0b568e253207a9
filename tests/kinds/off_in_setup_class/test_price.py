"""`setup_class` runs once for all tests of a class, and `teardown_class` after the last."""
import jax
from lib import area, one, price
from plum import dispatch


class TestEagerly:
    @classmethod
    def setup_class(cls):
        cls.off = jax.disable_jit()
        cls.off.__enter__()

    @classmethod
    def teardown_class(cls):
        cls.off.__exit__(None, None, None)

    def test_price(self):
        assert float(price(one)) == 2.0

    def test_again(self):
        assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
