"""The programs in these folders are read and run by tests, and are none."""

from collections.abc import Iterator

import pytest

collect_ignore_glob = ["fixtures/*", "kinds/*", "notebooks/*", "wild/*"]


@pytest.fixture(scope="session", autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The key of the cache is not that of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
