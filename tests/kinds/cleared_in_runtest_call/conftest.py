import jax


def pytest_runtest_call(item):
    jax.clear_caches()
