"""The `helper` of this folder registers nothing."""
from helper import one, price, register


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    register()
    assert float(price(one)) == 2.0
