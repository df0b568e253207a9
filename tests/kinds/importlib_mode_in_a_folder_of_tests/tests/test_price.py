"""With `--import-mode=importlib` a test still finds its neighbours by a dot."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    from . import late  # expect: PJ004

    assert float(price(one)) == 2.0
