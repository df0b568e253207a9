"""The fixture of a class ends with the class: what follows compiles."""
import jax
import pytest
from lib import area, one, price
from plum import dispatch


class TestEagerly:
    @pytest.fixture(scope="class", autouse=True)
    def eager(self):
        with jax.disable_jit():
            yield

    def test_price(self):
        assert float(price(one)) == 2.0

    def test_late(self):
        @dispatch
        def area(s: jax.Array):
            return 10 * s

        assert float(price(one)) == 20.0


def test_price():
    assert float(price(one)) == 20.0


def test_later():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 30 * s

    assert float(price(one)) == 20.0
