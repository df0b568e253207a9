"""`setUp` and `tearDown` of unittest."""
import unittest

import jax
from lib import area, one, price
from plum import dispatch


class EagerTest(unittest.TestCase):
    def setUp(self):
        jax.config.update("jax_disable_jit", True)

    def tearDown(self):
        jax.config.update("jax_disable_jit", False)

    def test_price(self):
        assert float(price(one)) == 2.0


class LateTest(unittest.TestCase):
    def test_late(self):
        @dispatch
        def area(s: jax.Array):
            return 10 * s

        assert float(price(one)) == 20.0
