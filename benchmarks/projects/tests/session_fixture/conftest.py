import pytest


@pytest.fixture(scope="session")
def plugins():
    import late

    return late.NAME
