"""Each folder of tests has a `helper`: this one registers."""
from helper import one, price, register


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    register()  # expect: PJ004
    assert float(price(one)) == 2.0
