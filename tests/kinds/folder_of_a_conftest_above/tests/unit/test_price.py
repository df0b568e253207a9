"""The folder of an outer `conftest.py` is on the path, and nothing else tells where the project begins."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late  # expect: PJ004

    assert float(price(one)) == 2.0
