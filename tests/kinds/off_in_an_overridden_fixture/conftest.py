import pytest


@pytest.fixture
def mode():
    return True
