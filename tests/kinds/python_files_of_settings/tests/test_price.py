"""pytest collects what `python_files` says: `check_late.py` too."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0
