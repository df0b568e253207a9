"""The module of that name beside the test comes before that of `pythonpath`."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late

    assert float(price(one)) == 2.0
