"""The fixture clears when the test is over: inside of it the call is late."""
import jax
from lib import area, one, price
from plum import dispatch


def test_late_at_once():
    assert float(price(one)) == 2.0

    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 5 * s

    assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
