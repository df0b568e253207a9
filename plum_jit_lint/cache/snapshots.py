"""The texts that results were worked out from, so that a change which no result can see is told.

A file of which only functions were changed that nobody read is as good as unchanged to every
result but those that tell a place in it. See `static/reading/unread.py`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plum_jit_lint.prefilter.dependencies import Dependencies
from plum_jit_lint.prefilter.features import FeaturesByContent

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (
    path BLOB, world TEXT, digest TEXT, text BLOB, bodies TEXT, PRIMARY KEY (path, world)
);
CREATE TABLE IF NOT EXISTS names (world TEXT PRIMARY KEY, names TEXT);
"""

LONGEST = 4_000_000
"""Bytes of a text that is compared."""


@dataclass(slots=True)
class KeptTexts:
    """The texts of one world, and what tells the features of such."""

    connection: sqlite3.Connection
    world: str
    features: FeaturesByContent
    digests: dict[str, str] | None = None
    """The digests of the texts that are kept, by their files."""
    _looked: dict[str, set[str]] = field(default_factory=dict)
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

    def alike(self, path: str, source: bytes) -> bool:
        """Whether the file is as good as the text that is kept of it, by the digest that `load`
        gives."""
        kept = self._kept(path)
        if kept is None or len(source) > LONGEST:
            return False
        from plum_jit_lint.cache.change_impact import alike

        before, read = kept
        return alike(before, source, read, self._kept_names(), self.features)

    def moves(self, path: str, source: bytes) -> dict[Span, Span]:
        """Where the places of the text that is kept are in one that is as good."""
        from plum_jit_lint.cache.change_impact import moves

        kept = self._kept(path)
        return {} if kept is None else moves(kept[0], source, kept[1])

    def _kept(self, path: str) -> tuple[bytes, frozenset[str]] | None:
        """A text, and the functions of it that were read."""
        row = self.connection.execute(
            "SELECT digest, text, bodies FROM texts WHERE path = ? AND world = ?",
            (os.fsencode(path), self.world),
        ).fetchone()
        if row is None or row[0] != self.load().get(path):
            return None
        unpack = zlib.decompressobj()
        text = unpack.decompress(row[1], LONGEST)
        return None if unpack.unconsumed_tail else (text, frozenset(map(str, json.loads(row[2]))))

    def _kept_names(self) -> frozenset[str]:
        row = self.connection.execute(
            "SELECT names FROM names WHERE world = ?", (self.world,)
        ).fetchone()
        return frozenset() if row is None else frozenset(map(str, json.loads(row[0])))

    def look(self, looked: Dependencies) -> None:
        """Notes what a result hangs on, whether the result itself is kept or not: in this process
        nobody tells it once more."""
        for path, body in looked.bodies:
            self._looked.setdefault(path, set()).add(body)
        self._names |= looked.names

    def write(
        self,
        files: Mapping[str, str],
        text: Callable[[str], bytes | None],
        moved: Set[str],
        *,
        replace: bool,
    ) -> None:
        """Writes down what was looked at and what is not kept yet of these files, given with their
        digests and what gives their texts. `moved` are those that are alike to another text that
        is kept: the new one takes its place if `replace`."""
        if self._names:
            names = sorted(self._kept_names() | self._names)
            self.connection.execute(
                "INSERT OR REPLACE INTO names VALUES (?, ?)", (self.world, json.dumps(names))
            )
        digests = self.load()
        for path, digest in files.items():
            read = self._looked.get(path, set())
            if path in moved and not replace:
                continue
            if digests.get(path) == digest and read == self._written.get(path, set()):
                continue
            source = text(path)
            if source is None:
                continue
            # Another process may have written since.
            kept = self.connection.execute(
                "SELECT digest, bodies FROM texts WHERE path = ? AND world = ?",
                (os.fsencode(path), self.world),
            ).fetchone()
            bodies = set(read)
            if kept is not None and (kept[0] == digest or path in moved):
                bodies.update(map(str, json.loads(kept[1])))
            self.connection.execute(
                "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?)",
                (
                    os.fsencode(path),
                    self.world,
                    digest,
                    zlib.compress(source[: LONGEST + 1], 1),
                    json.dumps(sorted(bodies)),
                ),
            )
            digests[path] = digest
            self._written[path] = set(read)
