import jax


def pytest_configure(config):
    jax.clear_caches()
