import jax
import pytest


@pytest.fixture
def eager():
    with jax.disable_jit():
        yield
