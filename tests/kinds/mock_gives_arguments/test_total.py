"""A patch without a value gives the test a mock, before its fixtures."""
from unittest import mock

import jax
import lib
import pytest
from lib import one
from plum import dispatch


@pytest.fixture
def compiled():
    return jax.jit(lib.total)


@mock.patch("lib.Model")
@mock.patch.dict(lib.TABLE)
def test_total(model, compiled):
    assert lib.Model is model
    assert float(compiled(one)) == 2.0


def test_late():
    @dispatch  # expect: PJ004
    def area(s: jax.Array):
        return 10 * s

    assert float(jax.jit(lib.total)(one)) == 2.0
