"""`mock.patch.object` of a class."""
from unittest import mock

import jax
import lib
from lib import one
from plum import dispatch


@mock.patch.object(lib.Model, "total", staticmethod(jax.jit(lib.total)))
def test_total():
    assert float(lib.Model().total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
