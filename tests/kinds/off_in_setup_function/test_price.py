"""`setup_function` is for functions, and not for methods."""
import jax
from lib import area, one, price
from plum import dispatch


def setup_function(function):
    jax.config.update("jax_disable_jit", True)


def teardown_function():
    jax.config.update("jax_disable_jit", False)


class TestCompiled:
    def test_price(self):
        assert float(price(one)) == 2.0


def test_eagerly():
    assert float(price(one)) == 2.0


class TestLate:
    def test_late(self):
        @dispatch  # expect: PJ004
        def area(s: jax.Array):
            return 5 * s

        assert float(price(one)) == 2.0
        jax.clear_caches()


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
