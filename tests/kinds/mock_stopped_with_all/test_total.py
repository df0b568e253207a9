"""`stopall` stops what was started."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


def test_total():
    mock.patch("lib.total", jax.jit(lib.total)).start()
    mock.patch.stopall()
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
