"""`monkeypatch.context()` undoes it at the end of its block."""
import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(lib, "total", jax.jit(lib.total))
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
