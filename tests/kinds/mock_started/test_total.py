"""`start` and `stop` of a patch: it is stopped when the test is over."""
from unittest import mock

import jax
import lib
import pytest
from lib import one
from plum import dispatch


@pytest.fixture
def jitted():
    patcher = mock.patch("lib.total", jax.jit(lib.total))
    yield patcher.start()
    patcher.stop()


def test_total(jitted):
    assert float(lib.total(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
