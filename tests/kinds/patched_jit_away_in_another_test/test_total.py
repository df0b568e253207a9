"""`jax.jit` is there again for the next test."""
import jax
import lib
from lib import one
from plum import dispatch


def test_plainly(monkeypatch):
    monkeypatch.setattr("jax.jit", lambda function: function)
    assert float(jax.jit(lib.total)(one)) == 2.0


def test_total():
    assert float(jax.jit(lib.total)(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
