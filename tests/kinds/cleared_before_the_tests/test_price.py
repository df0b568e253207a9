"""What the module compiled is cleared when the tests have been collected."""
import jax
from lib import area, one, price
from plum import dispatch


assert float(price(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(price(one)) == 20.0
