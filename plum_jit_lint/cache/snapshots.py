"""The texts that results were worked out from, to see whether a change can change a result.

See `cache/change_impact.py`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plum_jit_lint.cache.seals import Seals
from plum_jit_lint.limits import LONGEST_SNAPSHOT
from plum_jit_lint.prefilter.dependencies import Dependencies
from plum_jit_lint.prefilter.features import ByteScan

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (
    path BLOB, world TEXT, digest TEXT, text BLOB, bodies TEXT, seal BLOB,
    PRIMARY KEY (path, world)
);
CREATE TABLE IF NOT EXISTS names (world TEXT PRIMARY KEY, names TEXT, seal BLOB);
"""


@dataclass(slots=True)
class Snapshots:
    """The texts of one world, the last of each file."""

    connection: sqlite3.Connection
    world: str
    byte_scan: ByteScan
    seals: Seals
    digests: dict[str, str] | None = None
    """The digests of the texts that are kept, by their files."""
    damaged: bool = False
    """Whether an entry was met that is not as it was written."""
    _read: dict[str, set[str]] = field(default_factory=dict)
    """Functions that were read, by file."""
    _written: dict[str, set[str]] = field(default_factory=dict)
    """Those of them that are written down."""
    _names: set[str] = field(default_factory=set)

    def load(self) -> dict[str, str]:
        """The digest of the text that is kept of each file."""
        if self.digests is None:
            rows = self.connection.execute(
                "SELECT path, digest FROM texts WHERE world = ?", (self.world,)
            )
            self.digests = {os.fsdecode(path): digest for path, digest in rows}
        return self.digests

    def equivalent(self, path: str, source: bytes) -> bool:
        """Whether the file is equivalent to its snapshot, of which `load` gives the digest."""
        kept, names = self._kept(path), self._kept_names()
        if kept is None or names is None or len(source) > LONGEST_SNAPSHOT:
            return False
        from plum_jit_lint.cache.change_impact import equivalent

        before, read = kept
        return equivalent(before, source, read, names, self.byte_scan)

    def moves(self, path: str, source: bytes) -> dict[Span, Span]:
        """Where the places of the snapshot are in an equivalent text."""
        from plum_jit_lint.cache.change_impact import moves

        kept = self._kept(path)
        return {} if kept is None else moves(kept[0], source, kept[1])

    def _kept(self, path: str) -> tuple[bytes, frozenset[str]] | None:
        """A text, and the functions of it that were read."""
        row = self.connection.execute(
            "SELECT digest, text, bodies, seal FROM texts WHERE path = ? AND world = ?",
            (os.fsencode(path), self.world),
        ).fetchone()
        if row is None or row[0] != self.load().get(path) or not self._holds(path, *row):
            return None
        unpack = zlib.decompressobj()
        text = unpack.decompress(row[1], LONGEST_SNAPSHOT)
        return None if unpack.unconsumed_tail else (text, frozenset(map(str, json.loads(row[2]))))

    def _holds(self, path: str, digest: object, text: object, bodies: object, seal: object) -> bool:
        parts = (self.world, os.fsencode(path), digest, text, bodies)
        holds = self.seals.hold(seal, "text", *parts)
        self.damaged = self.damaged or not holds
        return holds

    def _kept_names(self) -> frozenset[str] | None:
        """The names that were asked for, `None` where it is not known: none would be an answer."""
        row = self.connection.execute(
            "SELECT names, seal FROM names WHERE world = ?", (self.world,)
        ).fetchone()
        if row is None:
            return None
        if not self.seals.hold(row[1], "names", self.world, row[0]):
            self.damaged = True
            return None
        return frozenset(map(str, json.loads(row[0])))

    def begin_anew(self, connection: sqlite3.Connection) -> None:
        """Goes on with a database that holds nothing."""
        self.connection, self.digests, self.damaged = connection, None, False
        self._written.clear()

    def add(self, dependencies: Dependencies) -> None:
        """Notes what a result depends on, whether the result itself is kept or not: in this process
        nobody tells it once more."""
        for path, body in dependencies.bodies:
            self._read.setdefault(path, set()).add(body)
        self._names |= dependencies.names

    def write(
        self,
        files: Mapping[str, str],
        text: Callable[[str], bytes | None],
        moved: Set[str],
        *,
        replace: bool,
    ) -> None:
        """Takes snapshots of these files, given with their digests and what gives their texts,
        where text or dependencies are new. `moved` are those that are equivalent to another
        snapshot: the new one takes its place if `replace`."""
        kept_names = self._kept_names()
        if kept_names is None:
            # Without the names, what is kept of the texts does not say what was asked of them.
            self.connection.execute("DELETE FROM texts WHERE world = ?", (self.world,))
            self.digests = None
            self._written.clear()
        if self._names or kept_names is None:
            text_of_names = json.dumps(sorted((kept_names or frozenset()) | self._names))
            self.connection.execute(
                "INSERT OR REPLACE INTO names VALUES (?, ?, ?)",
                (
                    self.world,
                    text_of_names,
                    self.seals.make("names", self.world, text_of_names),
                ),
            )
        digests = self.load()
        for path, digest in files.items():
            read = self._read.get(path, set())
            if path in moved and not replace:
                continue
            if digests.get(path) == digest and read == self._written.get(path, set()):
                continue
            source = text(path)
            if source is None:
                continue
            # Another process may have written since.
            kept = self.connection.execute(
                "SELECT digest, text, bodies, seal FROM texts WHERE path = ? AND world = ?",
                (os.fsencode(path), self.world),
            ).fetchone()
            known = kept is not None and self._holds(path, *kept)
            bodies = set(read)
            if known and (kept[0] == digest or path in moved):
                bodies.update(map(str, json.loads(kept[2])))
            packed = zlib.compress(source[: LONGEST_SNAPSHOT + 1], 1)
            told = json.dumps(sorted(bodies))
            self.connection.execute(
                "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?)",
                (
                    os.fsencode(path),
                    self.world,
                    digest,
                    packed,
                    told,
                    self.seals.make("text", self.world, os.fsencode(path), digest, packed, told),
                ),
            )
            digests[path] = digest
            self._written[path] = set(read)
