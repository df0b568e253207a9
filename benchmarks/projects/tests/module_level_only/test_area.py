"""All happens at module level, in the right order, and the tests only look."""

import jax
import jax.numpy as jnp
from app import area, total


@area.dispatch
def area_fast(a: jax.Array):
    return a * 3


RESULT = total(jnp.ones(2))


def test_result():
    assert RESULT[0] == 36


def test_again():
    assert total(jnp.ones(2))[0] == 36
