"""When the test is over the attribute is what it was: nothing is compiled."""
import jax
import lib
from lib import one
from plum import dispatch


def test_patched(monkeypatch):
    monkeypatch.setattr(lib, "total", jax.jit(lib.total))


def test_total():
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
