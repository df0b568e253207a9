"""`addCleanup(patcher.stop)` in `setUp`."""
import unittest
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


class TotalTest(unittest.TestCase):
    def setUp(self):
        patcher = mock.patch("lib.total", jax.jit(lib.total))
        self.total = patcher.start()
        self.addCleanup(patcher.stop)

    def test_total(self):
        assert float(lib.total(one)) == 2.0


def test_plain():
    assert not hasattr(lib.total, "clear_cache")


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
