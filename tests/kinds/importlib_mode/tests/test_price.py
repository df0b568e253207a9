"""With `--import-mode=importlib` the folder of the test is not on the path: `late` is that of `pythonpath`."""
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    import late  # expect: PJ004

    assert float(price(one)) == 2.0
