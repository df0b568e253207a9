"""What was compiled in the block stays compiled."""
import jax
import lib
from lib import one
from plum import dispatch


def test_total(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(lib, "total", jax.jit(lib.total))
        assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
