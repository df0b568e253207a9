"""`mock.patch` decorates a test: it is entered for each call."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


@mock.patch("lib.total", jax.jit(lib.total))
def test_total():
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
