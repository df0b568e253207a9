"""A `unittest.TestCase` runs its tests by name under pytest in the order of the file."""

import unittest
import jax
import jax.numpy as jnp
from app import area, total


class AreaTest(unittest.TestCase):
    def test_a_total(self):
        self.assertEqual(total(jnp.ones(2))[0], 24)

    def test_b_faster(self):
        @area.dispatch  # expect: PJ004
        def area_fast(a: jax.Array):
            return a * 3

        self.assertIn(total(jnp.ones(2))[0], (24, 36))
