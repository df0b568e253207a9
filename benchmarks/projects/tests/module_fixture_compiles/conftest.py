import jax.numpy as jnp
import pytest
from app import total


@pytest.fixture
def warm():
    a = jnp.ones(2)
    total(a)
    return a
