import jax
import pytest


@pytest.fixture(autouse=True)
def eager():
    with jax.disable_jit():
        yield
