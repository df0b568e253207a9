import jax


def pytest_runtest_setup(item):
    jax.clear_caches()
