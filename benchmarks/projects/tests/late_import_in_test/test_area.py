"""The second test imports the module that extends."""

import jax.numpy as jnp
from app import total


def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_fast():
    import fast  # expect: PJ004/error

    assert fast.NAME and total(jnp.ones(2))[0] in (24, 36)
