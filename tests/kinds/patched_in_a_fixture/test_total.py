"""A fixture patches for the test that uses it."""
import jax
import lib
import pytest
from lib import one
from plum import dispatch


@pytest.fixture
def jitted(monkeypatch):
    monkeypatch.setattr(lib, "total", jax.jit(lib.total))


@pytest.mark.usefixtures("jitted")
def test_total():
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
