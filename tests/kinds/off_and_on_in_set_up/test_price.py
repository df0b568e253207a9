"""`setUp` leaves the block before the test."""
import unittest

import jax
from lib import area, one, price
from plum import dispatch


class EagerTest(unittest.TestCase):
    def setUp(self):
        with jax.disable_jit():
            price(one)

    def test_price(self):
        assert float(price(one)) == 2.0


class LateTest(unittest.TestCase):
    def test_late(self):
        @dispatch  # expect: PJ004
        def area(s: jax.Array):
            return 10 * s

        assert float(price(one)) == 2.0
