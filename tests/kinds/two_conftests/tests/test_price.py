"""Two `conftest.py` of one name: the inner one has the fixture."""
import jax
from lib import area, one, price
from plum import dispatch


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
