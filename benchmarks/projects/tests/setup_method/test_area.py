"""`setup_method` compiles, the test of the class extends."""

import jax
import jax.numpy as jnp
from app import area, total


class TestArea:
    def setup_method(self):
        self.first = total(jnp.ones(2))

    def test_faster(self):
        @area.dispatch  # expect: PJ004
        def area_fast(a: jax.Array):
            return a * 3

        assert total(jnp.ones(2))[0] in (24, 36)
