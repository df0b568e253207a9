"""After the block the item is what it was."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


def test_total():
    with mock.patch.dict("lib.TABLE", total=jax.jit(lib.total)):
        assert len(lib.TABLE) == 1
    assert float(lib.TABLE["total"](one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
