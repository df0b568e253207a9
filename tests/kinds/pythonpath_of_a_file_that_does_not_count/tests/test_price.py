"""An empty `pytest.ini` hides the `pythonpath` of `tox.ini`: nothing is found there."""
import pytest
from shapes import one, price


def test_price():
    assert float(price(one)) == 2.0


def test_late():
    pytest.importorskip("late")

    assert float(price(one)) == 2.0
