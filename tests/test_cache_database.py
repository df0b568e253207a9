"""The database of a cache, and processes that make it at the same time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from plum_jit_lint.cache import database

KEEP = "INSERT INTO closures (digest, files) VALUES (?, '[]')"

DAMAGED = b"no database" * 1000


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path


def file_of(project: Path) -> Path:
    return project / database.FOLDER / "results.sqlite"


def keep(project: Path, digest: str) -> None:
    connection = database.connect(project)
    assert connection is not None
    with closing(connection), connection:
        connection.execute(KEEP, (digest,))


def kept(project: Path) -> list[str]:
    connection = database.connect(project)
    assert connection is not None
    with closing(connection):
        return sorted(digest for (digest,) in connection.execute("SELECT digest FROM closures"))


def damage(project: Path) -> None:
    (project / database.FOLDER).mkdir(exist_ok=True)
    file_of(project).write_bytes(DAMAGED)


def other_layout(project: Path) -> None:
    (project / database.FOLDER).mkdir(exist_ok=True)
    with closing(sqlite3.connect(file_of(project))) as connection:
        connection.execute("CREATE TABLE mine (x)")


def nothing(project: Path) -> None:
    pass


BEFORE = pytest.mark.parametrize("before", [nothing, damage, other_layout])


@BEFORE
def test_what_is_kept_is_there_the_next_time(project: Path, before: object) -> None:
    assert callable(before)
    before(project)
    assert kept(project) == []
    keep(project, "one")
    assert kept(project) == ["one"]
    assert not (project / "home").exists()


@BEFORE
def test_what_another_process_has_made_meanwhile_is_not_thrown_away(
    project: Path, before: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(before)
    before(project)
    alone = database._alone

    @contextmanager
    def late(lock: Path) -> Iterator[None]:
        monkeypatch.setattr(database, "_alone", alone)
        keep(project, "of the other")
        with alone(lock):
            yield

    monkeypatch.setattr(database, "_alone", late)
    keep(project, "own")
    assert kept(project) == ["of the other", "own"]


def test_a_database_is_whole_before_others_see_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    replace = Path.replace

    def watched(fresh: Path, target: Path) -> Path:
        seen.append(file_of(project).exists())
        connection = database._opened(fresh)
        connection.close()
        return replace(fresh, target)

    monkeypatch.setattr(Path, "replace", watched)
    keep(project, "one")
    assert seen == [False]
    assert kept(project) == ["one"]


def test_what_is_left_of_the_last_database_is_no_part_of_the_next(project: Path) -> None:
    connection = database.connect(project)
    assert connection is not None
    with closing(connection):
        with connection:
            connection.execute(KEEP, ("old",))
        log = Path(f"{file_of(project)}-wal").read_bytes()
    damage(project)
    Path(f"{file_of(project)}-wal").write_bytes(log)
    assert kept(project) == []


def test_one_that_makes_it_for_ever_stops_nobody(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0)
    (project / database.FOLDER).mkdir()
    with database._alone(project / database.FOLDER / "results.lock"):
        keep(project, "one")
        assert not file_of(project).exists()
        assert list((project / "home").rglob("results.sqlite"))
    assert kept(project) == []


MANY = f"""
import sys
from contextlib import closing
from plum_jit_lint.cache import database

sys.stdin.readline()
connection = database.connect(".")
with closing(connection), connection:
    connection.execute({KEEP!r}, (sys.argv[1],))
"""


@pytest.mark.parametrize("before", [nothing, damage])
def test_several_processes_that_make_it_at_once(project: Path, before: object) -> None:
    assert callable(before)
    before(project)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(number)], cwd=project, stdin=subprocess.PIPE
        )
        for number in range(6)
    ]
    for one in started:
        assert one.stdin is not None
        one.stdin.write(b"\n")
        one.stdin.flush()
    for one in started:
        one.communicate()
    assert [one.returncode for one in started] == [0] * 6
    assert kept(project) == list("012345")
