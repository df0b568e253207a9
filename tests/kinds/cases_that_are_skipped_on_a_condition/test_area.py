"""Methods of a test case that a condition leaves out compile nothing; one that runs does."""

import unittest

import jax
import jax.numpy as jnp
from app import across, area, total, width


class AreaTest(unittest.TestCase):
    @unittest.skipIf(True, "slow")
    def test_a_total(self):
        self.assertEqual(total(jnp.ones(2))[0], 24)

    @unittest.skipUnless(False, "slow")
    def test_b_across(self):
        self.assertEqual(across(jnp.ones(2))[0], 24)

    def test_c_faster(self):
        @area.dispatch
        def area_fast(a: jax.Array):
            return a * 3

        @width.dispatch
        def width_fast(a: jax.Array):
            return a * 3

        self.assertEqual(total(jnp.ones(2))[0], 36)
        self.assertEqual(across(jnp.ones(2))[0], 36)

    @unittest.skipIf(False, "slow")
    def test_d_later(self):
        @area.dispatch  # expect: PJ004/error
        def area_faster(a: jax.Array):
            return a * 4

        self.assertEqual(total(jnp.ones(2))[0], 36)
