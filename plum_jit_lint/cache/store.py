"""What was found before: results by the contents of all the files that they depend on.

What cannot be opened, read or written is done without.
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
from typing import TYPE_CHECKING, Any

from plum_jit_lint.cache import records
from plum_jit_lint.cache.database import LAYOUT, connect
from plum_jit_lint.cache.snapshots import Snapshots
from plum_jit_lint.checking.one_file import Checked, is_internal
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.prefilter.features import ByteScan
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.project.pytest_paths import CONFTEST
from plum_jit_lint.project.source_lines import bytes_of_file
from plum_jit_lint.version import build

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

_ABSENT = "absent"

_CONFTEST = os.sep + CONFTEST

_UNREADABLE = (
    *(sqlite3.Error, ValueError, TypeError, KeyError, AttributeError),
    *(OverflowError, RecursionError, zlib.error),
)
"""What a value that somebody else has written may raise."""


def open_store(start: str | os.PathLike[str], settings: Settings) -> Store | None:
    """The cache of the project around `start`; `None` where none can be had."""
    connection = connect(start)
    if connection is None:
        return None
    world = _world(settings)
    byte_scan = ByteScan(settings.extend_dispatchers, settings.extend_jit)
    return Store(connection, world, Snapshots(connection, world, byte_scan))


def _world(settings: Settings) -> str:
    """What decides a result beside the files: this program, Python, and the settings."""
    parts = (
        LAYOUT,
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

    connection: sqlite3.Connection
    world: str
    snapshots: Snapshots
    _digests: dict[str, str] = field(default_factory=dict)
    _listings: dict[Path, str] = field(default_factory=dict)
    _closures: dict[int, tuple[str, ...]] = field(default_factory=dict)
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
        try:
            rows = self._rows()
            self._closures = {
                number: tuple(json.loads(names))
                for number, names in self.connection.execute("SELECT id, files FROM closures")
            }
            found: dict[str, Checked] = {}
            for path in files:
                row = rows.get(_key(path))
                value = None if row is None else self._current(path, *row, programs)
                if value is not None:
                    found[path] = records.from_record(path, value)
            return found
        except _UNREADABLE:
            return {}

    def known_of(self, path: str, programs: Programs) -> Checked | None:
        """The result of one file if nothing has changed, for those who meet them one by one."""
        try:
            row = self.connection.execute(
                "SELECT closure, contents, value, files FROM results JOIN closures"
                " ON closures.id = closure WHERE path = ? AND world = ?",
                (_key(path), self.world),
            ).fetchone()
            if row is None:
                return None
            closure, contents, value, files = row
            if closure not in self._closures:
                self._closures[closure] = tuple(json.loads(files))
            current = self._current(path, closure, contents, value, programs)
            return None if current is None else records.from_record(path, current)
        except _UNREADABLE:
            return None

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
                names = {name for closure in closures for name in self._closures[closure]}
                if renew:
                    names.update(self._equivalent)
                self.snapshots.write(
                    {name: self._digest(name) for name in names if not is_notebook(name)},
                    self._text,
                    self._equivalent.keys(),
                    replace=renew,
                )
        except (*_UNREADABLE, OSError):
            # A full disk, another process that holds the lock: the next run works it out again.
            return

    def _rows(self) -> dict[bytes, tuple[int, str, str]]:
        return {
            path: (closure, contents, value)
            for path, closure, contents, value in self.connection.execute(
                "SELECT path, closure, contents, value FROM results WHERE world = ?",
                (self.world,),
            )
        }

    def _current(
        self, path: str, closure: int, contents: str, value: str, programs: Programs
    ) -> dict[str, Any] | None:
        """A result as it is now, if it still holds."""
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
        for key, (closure, contents, value) in self._rows().items():
            path = os.fsdecode(key)
            exact = self._contents_of(closure, path, programs)
            if contents == exact:
                continue
            found = self._current(path, closure, contents, value, programs)
            if found is not None:
                self.connection.execute(
                    "UPDATE results SET contents = ?, value = ? WHERE path = ? AND world = ?",
                    (exact, json.dumps(found), key, self.world),
                )

    def _keep(self, one: Checked, programs: Programs) -> int:
        names = programs.of(one.path).depends_on(one.path, one.beside)
        text = json.dumps(names)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.connection.execute(
            "INSERT OR IGNORE INTO closures (digest, files) VALUES (?, ?)", (digest, text)
        )
        ((number,),) = self.connection.execute(
            "SELECT id FROM closures WHERE digest = ?", (digest,)
        )
        self._closures[number] = names
        self.connection.execute(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)",
            (
                _key(one.path),
                self.world,
                number,
                self._contents_of(number, one.path, programs),
                json.dumps(records.to_record(one)),
            ),
        )
        return int(number)

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
                for name in names:
                    if name not in self._digests:
                        self._digest(name)
                every = "".join([self._digests[name] for name in names])
            self._contents[closure, equivalent] = hashlib.sha256(every.encode()).hexdigest()
        beside = [self._listing(root) for root in programs.roots(path)]
        beside.extend(map(self._listing, programs.followed_folders()))
        # Where pytest's settings have modules looked for stands in no file that is imported.
        beside.append(programs.pytest.answer(path))
        beside.extend(map(programs.pytest.answer, self._conftests_of(closure)))
        told = hashlib.sha256("\n".join(beside).encode(errors="surrogateescape")).hexdigest()
        return f"{self._contents[closure, equivalent]} {told}"

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
                if name.endswith(_CONFTEST) and self._digest(name) != _ABSENT
            ]
        return self._conftests[closure]

    def _digest(self, path: str) -> str:
        known = self._digests.get(path)
        if known is None:
            source = bytes_of_file(path)
            known = _ABSENT if source is None else hashlib.sha256(source).hexdigest()
            self._digests[path] = known
        return known

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
    from plum_jit_lint.project.discovery import python_files_below

    names = sorted(python_files_below(root))
    return hashlib.sha256("\n".join(names).encode(errors="surrogateescape")).hexdigest()
