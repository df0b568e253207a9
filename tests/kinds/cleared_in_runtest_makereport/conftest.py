import jax


def pytest_runtest_makereport(item, call):
    jax.clear_caches()
