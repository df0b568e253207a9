"""A session fixture of `conftest.py` loads the extension before the first test that asks for it."""

import jax.numpy as jnp
from app import total


def test_total(plugins):
    assert plugins and total(jnp.ones(2))[0] == 36


def test_again(plugins):
    assert plugins and total(jnp.ones(2))[0] == 36
