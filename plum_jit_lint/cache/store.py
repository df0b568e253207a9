"""What was found before: results by the contents of all the files that they depend on.

Nothing is believed that this user's own tool has not written, as it has written it. What cannot be
opened, read or written is done without.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from plum_jit_lint.cache import records
from plum_jit_lint.cache.database import LAYOUT, connect
from plum_jit_lint.cache.seals import NoKeyError, Seals, own_seals
from plum_jit_lint.cache.snapshots import Snapshots
from plum_jit_lint.checking.one_file import Checked, is_internal
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.project.config import Settings, project_of
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.project.patterns import absolute
from plum_jit_lint.project.pytest_paths import CONFTEST
from plum_jit_lint.project.read_texts import ABSENT, ReadTexts
from plum_jit_lint.project.source_lines import bytes_of_file
from plum_jit_lint.version import build

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

_CONFTEST = os.sep + CONFTEST

_ROW = "closure, contents, value, seal"

Row: TypeAlias = tuple[int, str, str, bytes]

_UNREADABLE = (
    *(sqlite3.Error, ValueError, TypeError, KeyError, AttributeError),
    *(OverflowError, RecursionError, zlib.error),
)
"""What a value that somebody else has written may raise."""


class NoStoreError(Exception):
    """Why a run does without a cache, in words."""


def open_store(start: str | os.PathLike[str], programs: Programs) -> Store:
    """The cache of the project around `start`, for those programs. `NoStoreError` where none can be
    had."""
    project = project_of(absolute(start))
    try:
        seals = own_seals(project)
    except NoKeyError as error:
        raise NoStoreError(f"no cache: {error}") from None
    connection = connect(start)
    if connection is None:
        raise NoStoreError("no cache: there is no folder that can be written")
    world = _world(programs.settings, seals)
    snapshots = Snapshots(connection, world, programs.byte_scan, seals)
    return Store(project, connection, world, snapshots, seals, programs.texts)


def _world(settings: Settings, seals: Seals) -> str:
    """What decides a result beside the files: this program, Python, the settings, and whose key
    seals it."""
    parts = (
        LAYOUT,
        seals.name,
        build(),
        sys.version_info[:2],
        settings.source_roots,
        settings.extend_jit,
        settings.extend_dispatchers,
        settings.follow,
        os.environ.get("VIRTUAL_ENV") if settings.follow else None,
    )
    return hashlib.sha256(repr(parts).encode(errors="surrogateescape")).hexdigest()


@dataclass(slots=True)
class Store:
    """An open cache."""

    project: Path
    connection: sqlite3.Connection
    world: str
    snapshots: Snapshots
    seals: Seals
    texts: ReadTexts
    damaged: bool = False
    """Whether an entry was met that is not as it was written."""
    _listings: dict[Path, str] = field(default_factory=dict)
    _closures: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _closure_digests: dict[int, str] = field(default_factory=dict)
    _conftests: dict[int, list[str]] = field(default_factory=dict)
    """The `conftest.py` files of closures."""
    _contents: dict[tuple[int, bool], str] = field(default_factory=dict)
    _equivalent: dict[str, str] = field(default_factory=dict)
    """Of changed files that are equivalent to their snapshot, the digest of that."""
    _moves: dict[str, dict[Span, Span]] = field(default_factory=dict)
    """Where the places in those are now."""
    _counts: dict[int, int] = field(default_factory=dict)
    """How many dependencies each program had when they were added last."""
    _different: set[str] = field(default_factory=set)
    """Changed files that are not."""

    def known(self, files: Iterable[str], programs: Programs) -> dict[str, Checked]:
        """The results of the files of which nothing has changed that matters to them."""
        files = list(files)
        found: dict[str, Checked] = {}
        try:
            rows = self._rows()
            for path in files:
                # What comes to be there while files are checked is no part of what is kept.
                self._beside(path, programs)
                row = rows.get(_key(path))
                known = None if row is None else self._known(path, row, programs)
                if known is not None:
                    found[path] = known
        except _UNREADABLE:
            self.damaged = True
        return found

    def known_of(self, path: str, programs: Programs) -> Checked | None:
        """The result of one file if nothing has changed, for those who meet them one by one."""
        try:
            self._beside(path, programs)
            row = self.connection.execute(
                f"SELECT {_ROW} FROM results WHERE path = ? AND world = ?", (_key(path), self.world)
            ).fetchone()
            return None if row is None else self._known(path, row, programs)
        except _UNREADABLE:
            self.damaged = True
            return None

    def _known(self, path: str, row: Row, programs: Programs) -> Checked | None:
        if not self._holds(_key(path), row):
            return None
        current = self._current(path, row, programs)
        if current is None:
            return None
        # A report shows lines of what the result depends on, and of no other file.
        decided = {os.path.realpath(path), *self._closures[row[0]]}
        if not all(os.path.realpath(place) in decided for place in records.paths(current)):
            return None
        return records.from_record(path, current)

    def _holds(self, key: bytes, row: Row) -> bool:
        """Whether an entry is as it was written, with the files that it depends on."""
        closure, contents, value, seal = row
        files = self._files_of(closure)
        if files is None or not self.seals.hold(
            seal, "result", self.world, key, files, contents, value
        ):
            self.damaged = True
            return False
        return True

    def _files_of(self, closure: int) -> str | None:
        """The digest of the files of a closure, `None` where they are not those."""
        if closure not in self._closure_digests:
            row = self.connection.execute(
                "SELECT digest, files FROM closures WHERE id = ?", (closure,)
            ).fetchone()
            if row is None or hashlib.sha256(row[1].encode()).hexdigest() != row[0]:
                return None
            self._closure_digests[closure] = row[0]
            self._closures[closure] = tuple(json.loads(row[1]))
        return self._closure_digests[closure]

    def keep(self, results: Sequence[Checked], programs: Programs, *, renew: bool = False) -> None:
        """Keeps new results, for as long as nothing of what they depend on changes. `renew`: those
        that hold although a file has changed are from now on those of the file as it is."""
        for one in results:
            # Those of other processes, and of this one: what is new for one file is not told again
            # for the next, and the first need not be of this cache.
            self.snapshots.add(one.dependencies)
            program = programs.of(one.path)
            if self._counts.get(id(program)) != program.dependency_count():
                self._counts[id(program)] = program.dependency_count()
                self.snapshots.add(program.dependencies())
        if not results and not self._equivalent:
            return
        try:
            if not (self.damaged or self.snapshots.damaged):
                self._write(results, programs, renew)
                return
        except (sqlite3.OperationalError, OSError):
            # A full disk, another process that holds the lock: the next run works it out again.
            return
        except _UNREADABLE:
            pass
        try:
            if self._begin_anew():
                self._write(results, programs, renew)
        except (*_UNREADABLE, OSError):
            return

    def _begin_anew(self) -> bool:
        """Takes a new database in the place of a damaged one: an entry that does not hold would be
        met in every run, and one that is missing cannot be told from one that never was."""
        self.connection.close()
        connection = connect(self.project, anew=True)
        if connection is None:
            return False
        self.connection, self.damaged = connection, False
        self.snapshots.begin_anew(connection)
        for known in (self._closures, self._closure_digests, self._conftests, self._contents):
            known.clear()
        self._equivalent.clear()
        return True

    def _write(self, results: Sequence[Checked], programs: Programs, renew: bool) -> None:
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            if renew and self._equivalent:
                self._renew(programs)
            closures = {
                self._keep(one, programs)
                for one in results
                if not one.incomplete
                and (one.problem is None or not is_internal(one.problem.message))
            }
            names = {
                name
                for closure in closures
                if closure is not None
                for name in self._closures[closure]
            }
            if renew:
                names.update(self._equivalent)
            self.snapshots.write(
                {
                    name: self._digest(name)
                    for name in names - self.texts.changed
                    if not is_notebook(name)
                },
                self._text,
                self._equivalent.keys(),
                replace=renew,
            )

    def _rows(self) -> dict[bytes, Row]:
        found = self.connection.execute(
            f"SELECT {_ROW}, path FROM results WHERE world = ?", (self.world,)
        )
        return {path: tuple(row) for *row, path in found}

    def _current(self, path: str, row: Row, programs: Programs) -> dict[str, Any] | None:
        """A result as it is now, if it still holds."""
        closure, contents, value, _ = row
        found: dict[str, Any] = json.loads(value)
        if contents == self._contents_of(closure, path, programs):
            return found
        if contents != self._contents_of(closure, path, programs, equivalent=True):
            return None
        if found["problem"] is not None and os.path.realpath(path) in self._equivalent:
            return None
        return found if all(map(self._moved, found["findings"])) else None

    def _moved(self, finding: dict[str, Any]) -> bool:
        """Takes the places of a finding to where they are in changed files, if that can be told."""
        for place in records.places(finding):
            file = os.path.realpath(place["path"])
            if file not in self._equivalent:
                continue
            if file not in self._moves:
                self._moves[file] = self.snapshots.moves(file, bytes_of_file(file) or b"")
            if not records.move(place, self._moves[file]):
                return False
        return True

    def _renew(self, programs: Programs) -> None:
        for key, row in self._rows().items():
            if not self._holds(key, row):
                continue
            path = os.fsdecode(key)
            closure, contents, *_ = row
            exact = self._contents_of(closure, path, programs)
            if contents == exact:
                continue
            found = self._current(path, row, programs)
            if found is not None:
                self._put(key, closure, exact, json.dumps(found))

    def _keep(self, one: Checked, programs: Programs) -> int | None:
        """Keeps a result; the number of its closure, `None` where something of that has changed
        while it was worked out."""
        names = programs.of(one.path).depends_on(one.path, one.beside)
        if not self.texts.changed.isdisjoint(names):
            return None
        text = json.dumps(names)
        number = self._number_of(hashlib.sha256(text.encode()).hexdigest(), text)
        self._closures[number] = names
        value = json.dumps(records.to_record(one))
        self._put(_key(one.path), number, self._contents_of(number, one.path, programs), value)
        return number

    def _number_of(self, digest: str, files: str) -> int:
        """The number of a closure. What stands under its digest may be damaged."""
        ((number,),) = self.connection.execute(
            "INSERT INTO closures (digest, files) VALUES (?, ?)"
            " ON CONFLICT (digest) DO UPDATE SET files = excluded.files RETURNING id",
            (digest, files),
        ).fetchall()
        self._closure_digests[number] = digest
        return int(number)

    def _put(self, key: bytes, closure: int, contents: str, value: str) -> None:
        files = self._closure_digests[closure]
        seal = self.seals.make("result", self.world, key, files, contents, value)
        self.connection.execute(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)",
            (key, self.world, closure, contents, value, seal),
        )

    def _contents_of(
        self, closure: int, path: str, programs: Programs, *, equivalent: bool = False
    ) -> str:
        """A digest of the files that a result depends on, and of which files there are: a new one
        may be what an import finds first. `equivalent`: with the snapshots that changed files
        are equivalent to."""
        if (closure, equivalent) not in self._contents:
            names = self._closures[closure]
            if equivalent:
                every = "".join(map(self._equivalent_digest, names))
            else:
                # A file stands in most closures: hundreds of files in hundreds of them.
                digests = self.texts.digests
                for name in names:
                    if name not in digests:
                        self._digest(name)
                every = "".join([digests[name] for name in names])
            self._contents[closure, equivalent] = hashlib.sha256(every.encode()).hexdigest()
        beside = self._beside(path, programs)
        # Where pytest's settings have modules looked for stands in no file that is imported.
        beside.append(programs.pytest.answer(path))
        beside.extend(map(programs.pytest.answer, self._conftests_of(closure)))
        told = hashlib.sha256("\n".join(beside).encode(errors="surrogateescape")).hexdigest()
        return f"{self._contents[closure, equivalent]} {told}"

    def _beside(self, path: str, programs: Programs) -> list[str]:
        """What tells which files there are where imports of a file are looked for."""
        return list(map(self._listing, (*programs.roots(path), *programs.followed_folders())))

    def _listing(self, root: Path) -> str:
        if root not in self._listings:
            self._listings[root] = _listing(root)
        return self._listings[root]

    def _conftests_of(self, closure: int) -> list[str]:
        if closure not in self._conftests:
            # A closure also names those that might come to be there.
            self._conftests[closure] = [
                name
                for name in self._closures[closure]
                if name.endswith(_CONFTEST) and self._digest(name) != ABSENT
            ]
        return self._conftests[closure]

    def _digest(self, path: str) -> str:
        """That of the text which was read in this run."""
        if path not in self.texts.digests:
            self.texts.read(path)
        return self.texts.digests[path]

    def _equivalent_digest(self, path: str) -> str:
        exact = self._digest(path)
        kept = self.snapshots.load().get(path, exact)
        if kept == exact or path in self._equivalent or path in self._different:
            return self._equivalent.get(path, exact)
        source = bytes_of_file(path)
        if source is None or is_notebook(path) or not self.snapshots.equivalent(path, source):
            self._different.add(path)
            return exact
        self._equivalent[path] = kept
        return kept

    def _text(self, path: str) -> bytes | None:
        """The text of a file, if it is still the one whose digest was taken."""
        source = bytes_of_file(path)
        same = source is not None and hashlib.sha256(source).hexdigest() == self._digest(path)
        return source if same else None


def _key(path: str) -> bytes:
    # A file's name need not be text.
    return os.fsencode(os.path.abspath(path))


def _listing(root: Path) -> str:
    from plum_jit_lint.project.discovery import listed_below

    names = sorted(listed_below(root))
    return hashlib.sha256("\n".join(names).encode(errors="surrogateescape")).hexdigest()
