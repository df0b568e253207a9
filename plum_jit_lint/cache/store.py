"""What was found before: results by the contents of all the files that they depend on.

One sqlite database for a project, in `.plum_jit_lint_cache/`. Values are JSON: a cache that comes
with a cloned repository can lie, but it runs no code, and a database that is not laid out as this
program does it is not asked. What cannot be opened, read or written is done without.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plum_jit_lint.cache import snapshots
from plum_jit_lint.checking.one_file import Checked, is_internal, with_shown_paths
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.findings import Cell, Finding, Place, Problem, Related, Role, Severity
from plum_jit_lint.project.config import Settings, project_of
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.project.patterns import absolute
from plum_jit_lint.project.pytest_paths import CONFTEST
from plum_jit_lint.project.source_lines import bytes_of_file
from plum_jit_lint.version import build

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

FOLDER = ".plum_jit_lint_cache"

_FILE = "results.sqlite"

_LAYOUT = 3

_SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS closures (id INTEGER PRIMARY KEY, digest TEXT UNIQUE, files TEXT);
CREATE TABLE IF NOT EXISTS results (
    path BLOB, world TEXT, closure INTEGER, contents TEXT, value TEXT, PRIMARY KEY (path, world)
);
"""
    + snapshots.SCHEMA
)

_ABSENT = "absent"

_CONFTEST = os.sep + CONFTEST

_SPAN = ("line", "column", "end_line", "end_column")

_LINE_TOLD = re.compile(r"\bline \d")
"""A message with the number of a line, which may be another now."""

_UNREADABLE = (
    *(sqlite3.Error, ValueError, TypeError, KeyError, AttributeError),
    *(OverflowError, RecursionError, zlib.error),
)
"""What a value that somebody else has written may raise."""


def folders(start: str | os.PathLike[str]) -> list[Path]:
    """Where the cache of the project around `start` may lie: in the project, or, where nothing
    can be written there, in the user's own cache folder."""
    project = project_of(absolute(start))
    name = hashlib.sha256(os.fsencode(project)).hexdigest()[:16]
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return [project / FOLDER, Path(base) / "plum-jit-lint" / name]


def open_store(start: str | os.PathLike[str], settings: Settings) -> Store | None:
    """The cache of the project around `start`; `None` where none can be had."""
    for folder in folders(start):
        try:
            if folder.is_symlink() or (folder / _FILE).is_symlink():
                # It may lead to a database of somebody else.
                continue
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            if new:
                (folder / ".gitignore").write_text("*\n")
            connection, world = _connected(folder / _FILE), _world(settings)
            texts = snapshots.KeptTexts(
                connection, world, settings.extend_dispatchers, settings.extend_jit
            )
            return Store(connection, world, texts)
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


def _connected(file: Path) -> sqlite3.Connection:
    try:
        return _prepared(file)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        # Damaged: what it held can be found again.
        file.unlink()
        return _prepared(file)


def _prepared(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=5)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_SCHEMA)
        if _layout(connection) != _own_layout():
            raise sqlite3.DatabaseError("not laid out as it should be")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _layout(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every table, view and trigger: a view can take for ever to be read."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(name, sql) for name, sql in rows}


def _own_layout() -> set[tuple[str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(_SCHEMA)
        return _layout(connection)
    finally:
        connection.close()


def _world(settings: Settings) -> str:
    """What decides a result beside the files: this program, Python, and the settings."""
    parts = (
        _LAYOUT,
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
    texts: snapshots.KeptTexts
    _digests: dict[str, str] = field(default_factory=dict)
    _listings: dict[Path, str] = field(default_factory=dict)
    _closures: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _conftests: dict[int, list[str]] = field(default_factory=dict)
    """The `conftest.py` files of closures."""
    _contents: dict[tuple[int, bool], str] = field(default_factory=dict)
    _alike: dict[str, str] = field(default_factory=dict)
    """Of changed files that are as good as another text, the digest of that."""
    _moves: dict[str, dict[Span, Span]] = field(default_factory=dict)
    """Where the places in those are now."""
    _looks: dict[int, int] = field(default_factory=dict)
    _other: set[str] = field(default_factory=set)
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
                    found[path] = _read(path, value)
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
            return None if current is None else _read(path, current)
        except _UNREADABLE:
            return None

    def keep(self, results: Sequence[Checked], programs: Programs, *, renew: bool = False) -> None:
        """Keeps new results, for as long as nothing of what they depend on changes. `renew`: those
        that hold although a file has changed are from now on those of the file as it is."""
        for one in results:
            # What other processes looked at, and this one: what it looked at for another file it
            # does not tell once more, and that file need not be of this cache.
            self.texts.look(one.looked)
            program = programs.of(one.path)
            if self._looks.get(id(program)) != program.looks():
                self._looks[id(program)] = program.looks()
                self.texts.look(program.looked_at())
        if not results and not self._alike:
            return
        try:
            with self.connection:
                self.connection.execute("BEGIN IMMEDIATE")
                if renew and self._alike:
                    self._renew(programs)
                closures = {
                    self._keep(one, programs)
                    for one in results
                    if one.problem is None or not is_internal(one.problem.message)
                }
                names = {name for closure in closures for name in self._closures[closure]}
                if renew:
                    names.update(self._alike)
                self.texts.write(
                    {name: self._digest(name) for name in names if not is_notebook(name)},
                    self._text,
                    self._alike.keys(),
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
        if contents != self._contents_of(closure, path, programs, alike=True):
            return None
        if found["problem"] is not None and os.path.realpath(path) in self._alike:
            return None
        return found if all(map(self._moved, found["findings"])) else None

    def _moved(self, finding: dict[str, Any]) -> bool:
        """Takes the places of a finding to where they are in changed files, if that can be told."""
        messages = [finding["message"], *(one["message"] for one in finding["related"])]
        for place in _places(finding):
            file = os.path.realpath(place["path"])
            if file not in self._alike:
                continue
            if file not in self._moves:
                self._moves[file] = self.texts.moves(file, bytes_of_file(file) or b"")
            span = tuple(int(place[name]) for name in _SPAN)
            if span not in self._moves[file] or any(map(_LINE_TOLD.search, messages)):
                return False
            place.update(zip(_SPAN, self._moves[file][span], strict=True))
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
                json.dumps(_written(one)),
            ),
        )
        return int(number)

    def _contents_of(
        self, closure: int, path: str, programs: Programs, *, alike: bool = False
    ) -> str:
        """A digest of the files that a result depends on, and of which files there are: a new one
        may be what an import finds first. `alike`: with the texts that changed files are as good
        as."""
        if (closure, alike) not in self._contents:
            names = self._closures[closure]
            if alike:
                every = "".join(map(self._digest_alike, names))
            else:
                # A file stands in most closures: hundreds of files in hundreds of them.
                for name in names:
                    if name not in self._digests:
                        self._digest(name)
                every = "".join([self._digests[name] for name in names])
            self._contents[closure, alike] = hashlib.sha256(every.encode()).hexdigest()
        beside = [self._listing(root) for root in programs.roots(path)]
        beside.extend(map(self._listing, programs.followed_folders()))
        # Where pytest's settings have modules looked for stands in no file that is imported.
        beside.append(programs.pytest.answer(path))
        beside.extend(map(programs.pytest.answer, self._conftests_of(closure)))
        told = hashlib.sha256("\n".join(beside).encode(errors="surrogateescape")).hexdigest()
        return f"{self._contents[closure, alike]} {told}"

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

    def _digest_alike(self, path: str) -> str:
        exact = self._digest(path)
        kept = self.texts.load().get(path, exact)
        if kept == exact or path in self._alike or path in self._other:
            return self._alike.get(path, exact)
        source = bytes_of_file(path)
        if source is None or is_notebook(path) or not self.texts.alike(path, source):
            self._other.add(path)
            return exact
        self._alike[path] = kept
        return kept

    def _text(self, path: str) -> bytes | None:
        """The text of a file as it was when it was looked at."""
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


# -- results as JSON -------------------------------------------------------------------------


def _written(one: Checked) -> dict[str, Any]:
    told = one.problem
    problem = None if told is None else asdict(told)
    return {"problem": problem, "findings": [_finding(finding) for finding in one.findings]}


def _finding(finding: Finding) -> dict[str, Any]:
    found = asdict(finding)
    for place in _places(found):
        # Paths are shown as they look from the folder that somebody stands in.
        place["path"] = str(absolute(place["path"]))
    return found


def _places(finding: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding["place"], *(related["place"] for related in finding["related"])]


def _read(path: str, value: dict[str, Any]) -> Checked:
    findings = tuple(
        with_shown_paths(
            Finding(
                str(one["code"]),
                str(one["name"]),
                Severity(one["severity"]),
                str(one["message"]),
                _place(one["place"]),
                str(one["function"]),
                tuple(
                    Related(Role(r["role"]), _place(r["place"]), str(r["message"]))
                    for r in one["related"]
                ),
            )
        )
        for one in value["findings"]
    )
    return Checked(path, findings, _problem(path, value["problem"]))


def _place(value: dict[str, Any]) -> Place:
    line, column, end_line, end_column = (int(value[name]) for name in _SPAN)
    cell = _cell(value["cell"])
    return Place(str(value["path"]), line, column, end_line, end_column, cell)


def _cell(value: dict[str, Any] | None) -> Cell | None:
    if value is None:
        return None
    return Cell(int(value["number"]), None if value["id"] is None else str(value["id"]))


def _problem(path: str, value: dict[str, Any] | None) -> Problem | None:
    if value is None:
        return None
    numbers = (value["line"], value["column"])
    line, column = (None if number is None else int(number) for number in numbers)
    return Problem(path, str(value["message"]), line, column, _cell(value["cell"]))
