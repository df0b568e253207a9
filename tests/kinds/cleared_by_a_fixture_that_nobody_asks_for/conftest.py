import jax
import pytest


@pytest.fixture
def fresh():
    yield
    jax.clear_caches()
