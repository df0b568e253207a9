"""`from lib import total` has bound the plain function before."""
from lib import total

import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    monkeypatch.setattr(lib, "total", jax.jit(lib.total))
    assert float(total(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
