"""`conftest.py` registers before the tests of the file run."""

import jax.numpy as jnp
from app import total


def test_total():
    assert total(jnp.ones(2))[0] == 36


def test_total_again():
    assert total(jnp.ones(2))[0] == 36
