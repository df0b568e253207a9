import jax


def pytest_runtest_protocol(item):
    jax.clear_caches()
