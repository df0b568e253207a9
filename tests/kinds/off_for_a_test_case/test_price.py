"""`enterClassContext` holds until the last test of the class is over."""
import unittest

import jax
from lib import area, one, price
from plum import dispatch


class EagerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(jax.disable_jit())

    def test_price(self):
        assert float(price(one)) == 2.0


class LateTest(unittest.TestCase):
    def test_late(self):
        @dispatch
        def area(s: jax.Array):
            return 10 * s

        assert float(price(one)) == 20.0
