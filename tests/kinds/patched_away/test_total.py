"""The jitted function is replaced by a plain one, or deleted."""
import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    monkeypatch.setattr(lib, "kept", jax.jit(lib.total), raising=False)
    monkeypatch.delattr(lib, "kept")
    assert not hasattr(lib, "kept")
    monkeypatch.delitem(lib.TABLE, "total")
    assert "total" not in lib.TABLE


def test_again():
    assert float(lib.TABLE["total"](one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
