"""A test is skipped on a condition that holds, another on one that does not."""

import sys

import jax
import jax.numpy as jnp
import pytest
from app import area, other, total

old = pytest.mark.skipif(sys.version_info < (3, 9), reason="new syntax")


@pytest.mark.skipif(True, reason="slow")
def test_other():
    @other.dispatch
    def other_fast(a: jax.Array):
        return a * 7


@old
def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_faster():
    @area.dispatch  # expect: PJ004
    def area_fast(a: jax.Array):
        return a * 3

    assert total(jnp.ones(2))[0] == 24
