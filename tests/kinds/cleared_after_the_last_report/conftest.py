import jax
import pytest


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item):
    jax.clear_caches()
