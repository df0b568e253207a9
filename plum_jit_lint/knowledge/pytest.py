"""pytest and `unittest`: what the collection of tests looks for."""

from __future__ import annotations

HOOK = "pytest.hookimpl"
PARAM = "pytest.param"
RAISES = "pytest.raises"

TEST_CASE = "unittest.TestCase"
TEST_CASES = (TEST_CASE, "unittest.IsolatedAsyncioTestCase")
