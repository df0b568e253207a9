"""`pythonpath` of a `tox.ini`, two folders: what is imported from there registers."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late  # expect: PJ004

    assert float(price(one)) == 2.0
