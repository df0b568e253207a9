"""The fixture that clears is not used."""
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
