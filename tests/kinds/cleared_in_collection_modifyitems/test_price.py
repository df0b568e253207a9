"""The hook `pytest_collection_modifyitems` runs once, and not between two tests."""
import jax
from lib import area, one, price
from plum import dispatch


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 2.0
