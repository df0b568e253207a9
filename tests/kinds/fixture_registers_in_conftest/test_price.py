"""A fixture of `conftest.py` registers: the finding stands at the test that uses it."""
import jax
from lib import area, one, price
from plum import dispatch


def test_price():
    assert float(price(one)) == 2.0


def test_tenfold(tenfold):  # expect: PJ004
    assert float(price(one)) == 2.0
