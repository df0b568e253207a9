"""A folder without `__init__.py` is on the path, though it lies in a package."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late  # expect: PJ004

    assert float(price(one)) == 2.0
