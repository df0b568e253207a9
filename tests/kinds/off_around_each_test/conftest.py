import jax
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    with jax.disable_jit():
        yield
