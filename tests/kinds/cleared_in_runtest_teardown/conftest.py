import jax


def pytest_runtest_teardown(item, nextitem):
    jax.clear_caches()
