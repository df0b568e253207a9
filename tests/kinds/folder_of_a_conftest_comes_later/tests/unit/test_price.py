"""The folder of the test comes before that of an outer `conftest.py`."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late

    assert float(price(one)) == 2.0
