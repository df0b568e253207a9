"""A method of a test case that `unittest.skip` leaves out compiles nothing."""

import unittest

import jax
import jax.numpy as jnp
from app import area, other, total


class AreaTest(unittest.TestCase):
    @unittest.skip("slow")
    def test_a_total(self):
        self.assertEqual(total(jnp.ones(2))[0], 24)

    def test_b_faster(self):
        other(jnp.ones(2))

        @area.dispatch
        def area_fast(a: jax.Array):
            return a * 3

        self.assertEqual(total(jnp.ones(2))[0], 36)
