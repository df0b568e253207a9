"""Each test file is a run of its own: the other one extends, this one compiles."""

import jax.numpy as jnp
from app import total


def test_total():
    assert total(jnp.ones(2))[0] == 24
