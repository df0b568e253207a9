"""Each test makes its own dispatcher, function and jitted caller: nothing is shared."""

import jax.numpy as jnp
from build import build


def test_two():
    area, total = build(2)
    assert total(jnp.ones(2))[0] == 2


def test_three():
    area, total = build(3)
    assert total(jnp.ones(2))[0] == 3
