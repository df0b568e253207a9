"""The tests are methods of a class, in their order."""

import jax
import jax.numpy as jnp
from app import area, total


class TestArea:
    def test_total(self):
        assert total(jnp.ones(2))[0] == 24

    def test_faster(self):
        @area.dispatch  # expect: PJ004/error
        def area_fast(a: jax.Array):
            return a * 3

        assert total(jnp.ones(2))[0] in (24, 36)
