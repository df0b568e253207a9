import jax


def pytest_collection_modifyitems(items):
    jax.clear_caches()
