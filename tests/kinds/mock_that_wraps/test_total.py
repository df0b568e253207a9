"""A mock that wraps the jitted function calls it."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


def test_total():
    with mock.patch("lib.total", wraps=jax.jit(lib.total)) as total:
        assert float(lib.total(one)) == 2.0
        total.assert_called_once()


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
