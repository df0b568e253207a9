import jax.numpy as jnp
import pytest
from app import total


@pytest.fixture(autouse=True)
def warm():
    total(jnp.ones(2))
