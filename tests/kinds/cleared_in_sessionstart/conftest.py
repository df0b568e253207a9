import jax


def pytest_sessionstart(session):
    jax.clear_caches()
