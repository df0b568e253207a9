"""A patch that decorates a class leaves what is no test alone."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


@mock.patch("lib.total", jax.jit(lib.total))
class TestTotal:
    def helper(self):
        return lib.total(one)

    def setup_method(self):
        assert float(self.helper()) == 2.0

    def test_nothing(self):
        pass


def test_late():
    @dispatch
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 20.0
