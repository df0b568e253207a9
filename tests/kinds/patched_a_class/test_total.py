"""A method of a class is replaced by a jitted one."""
import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    monkeypatch.setattr(lib.Model, "total", lambda self, s: jax.jit(lib.total)(s))
    assert float(lib.Model().total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
