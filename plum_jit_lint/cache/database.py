"""The sqlite database of a project's cache: where it lies, and how it is opened and made.

A database that is not laid out as this program does it is not asked: a cache that comes with a
cloned repository can lie, but it runs no code.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from plum_jit_lint.cache import snapshots
from plum_jit_lint.project.config import project_of
from plum_jit_lint.project.patterns import absolute

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FOLDER = ".plum_jit_lint_cache"

LAYOUT = 3

_FILE = "results.sqlite"
_LOCK = "results.lock"
_BESIDE = ("-wal", "-shm", "-journal")
"""What sqlite keeps beside a database, by the ends of the names."""

_PATIENCE = 5
"""Seconds that another process is waited for."""

_SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS closures (id INTEGER PRIMARY KEY, digest TEXT UNIQUE, files TEXT);
CREATE TABLE IF NOT EXISTS results (
    path BLOB, world TEXT, closure INTEGER, contents TEXT, value TEXT, PRIMARY KEY (path, world)
);
"""
    + snapshots.SCHEMA
)


def folders(start: str | os.PathLike[str]) -> list[Path]:
    """Where the cache of the project around `start` may lie: in the project, or, where nothing
    can be written there, in the user's own cache folder."""
    project = project_of(absolute(start))
    name = hashlib.sha256(os.fsencode(project)).hexdigest()[:16]
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return [project / FOLDER, absolute(Path(base)) / "plum-jit-lint" / name]


def connect(start: str | os.PathLike[str]) -> sqlite3.Connection | None:
    """The database of the project around `start`; `None` where none can be had."""
    for folder in folders(start):
        try:
            if any(one.is_symlink() for one in (folder, folder / _FILE, folder / _LOCK)):
                # It may lead to a file of somebody else.
                continue
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            if new:
                (folder / ".gitignore").write_text("*\n")
            return _connected(folder)
        except (OSError, sqlite3.Error):
            continue
    return None


def clean(start: str | os.PathLike[str]) -> list[Path]:
    """Removes the cache of the project around `start`; the folders that were there."""
    import shutil

    there = [folder for folder in folders(start) if folder.is_dir()]
    for folder in there:
        shutil.rmtree(folder)
    return there


def _connected(folder: Path) -> sqlite3.Connection:
    file = folder / _FILE
    if file.exists():
        try:
            return _opened(file)
        except sqlite3.DatabaseError:
            # Damaged, or another process is making it anew.
            pass
    with _alone(folder / _LOCK):
        # Another process that was here first has made it.
        if file.exists():
            try:
                return _opened(file)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                # What it held can be found again.
                file.unlink()
        _make(file)
        return _opened(file)


def _opened(file: Path) -> sqlite3.Connection:
    # By its path alone, a file that is not there would be made, and be empty.
    connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", timeout=_PATIENCE, uri=True)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        if _layout(connection) != _own_layout():
            raise sqlite3.DatabaseError("not laid out as it should be")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make(file: Path) -> None:
    """Makes an empty database where none is. It is there for others when it is whole."""
    for end in _BESIDE:
        # sqlite takes what is left of the last database for a part of the new one.
        Path(f"{file}{end}").unlink(missing_ok=True)
    fresh = file.with_suffix(".new")
    for end in ("", *_BESIDE):
        # Another process may have ended in the middle of this.
        Path(f"{fresh}{end}").unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_SCHEMA)
    fresh.replace(file)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Keeps other processes from making the database. The system frees the lock when a process
    ends, however it does."""
    with lock.open("ab") as file:
        number = file.fileno()
        end = time.monotonic() + _PATIENCE
        while not _taken(number):
            if time.monotonic() > end:
                raise TimeoutError(str(lock))
            time.sleep(0.01)
        yield


def _taken(number: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(number, 0, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _layout(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every table, view and trigger: a view can take for ever to be read."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(name, sql) for name, sql in rows}


def _own_layout() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return _layout(connection)
