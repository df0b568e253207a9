import jax
import pytest


@pytest.fixture(autouse=True)
def fresh():
    yield
    jax.clear_caches()
