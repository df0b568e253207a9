import jax


def pytest_sessionfinish(session):
    jax.clear_caches()
