import jax


def pytest_runtest_logfinish(nodeid, location):
    jax.clear_caches()
