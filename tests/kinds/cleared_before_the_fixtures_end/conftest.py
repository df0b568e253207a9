import jax


def pytest_runtest_teardown(item):
    jax.clear_caches()
