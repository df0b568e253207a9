"""Which texts a run has read, so that what it found is kept for these, and not for what lies there
later."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from plum_jit_lint.project.source_lines import bytes_of_file

ABSENT = "absent"

Told: TypeAlias = tuple[tuple[str, str], ...]
"""Files with the digests of their texts."""


@dataclass(slots=True)
class ReadTexts:
    """The texts that were read in this process, and in those that told of theirs."""

    digests: dict[str, str] = field(default_factory=dict)
    """By the paths of the files, as they were read first."""
    changed: set[str] = field(default_factory=set)
    """Files of which two texts were read: nobody knows which of them an answer is about."""
    _count: int = 0
    """How many of the digests were told."""

    def read(self, path: str) -> bytes | None:
        """What stands in a regular file, `None` where it cannot be read."""
        source = bytes_of_file(path)
        self.note(path, source)
        return source

    def note(self, path: str, source: bytes | None) -> None:
        """Notes a text that was read in another way."""
        self._note(path, ABSENT if source is None else hashlib.sha256(source).hexdigest())

    def _note(self, path: str, digest: str) -> None:
        if self.digests.setdefault(path, digest) != digest:
            self.changed.add(path)

    def since(self) -> Told:
        """What was read since this was asked last, and what has changed."""
        new = tuple(islice(self.digests.items(), self._count, None))
        self._count = len(self.digests)
        return (*new, *((path, "") for path in self.changed))

    def merge(self, told: Told) -> None:
        """Takes over what another process has read."""
        for path, digest in told:
            self._note(path, digest)
