import jax
import pytest


@pytest.fixture(autouse=True, scope="module")
def fresh():
    yield
    jax.clear_caches()
