"""`jax.jit` itself is replaced by something that does not compile."""
import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    monkeypatch.setattr(jax, "jit", lambda function: function)
    assert float(jax.jit(lib.total)(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
