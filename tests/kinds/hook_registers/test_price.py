"""A hook of `conftest.py` registers: the finding stands at the test that it is called for."""
import jax
from lib import area, one, price
from plum import dispatch


price(one)


def test_price():  # expect: PJ004
    assert float(price(one)) == 2.0
