import jax


def pytest_runtest_logstart(nodeid):
    jax.clear_caches()
