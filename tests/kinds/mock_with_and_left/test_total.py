"""The block is left before the call."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


def test_total():
    with mock.patch("lib.total", new=jax.jit(lib.total)):
        pass
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
