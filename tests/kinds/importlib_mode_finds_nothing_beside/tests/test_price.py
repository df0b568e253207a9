"""With `--import-mode=importlib` the module beside the test is not found."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late

    assert float(price(one)) == 2.0
