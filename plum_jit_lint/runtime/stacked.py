"""PJ001 and PJ002 in a live process.

Stacks of decorators cannot be told from live objects: `@jit @dispatch def f` and `jax.jit(f)`
look the same. So the source of each file that registered something is read, by the static
observer, and what it says of a definition counts when that definition was registered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.events import DecoratorStack, Registered
from plum_jit_lint.findings import Finding, Place
from plum_jit_lint.project.config import Settings
from plum_jit_lint.rules import judge
from plum_jit_lint.runtime.frames import is_installed
from plum_jit_lint.static.observer import observe
from plum_jit_lint.syntax.source import SourceError

Text: TypeAlias = Sequence[tuple[str, bytes]]
"""What has to be read to understand a file: the texts that ran one after the other, each with the
path that its code goes by. For a file on the disk that is the file alone."""

TextOf: TypeAlias = Callable[[str], Text]


def findings(
    places: Mapping[str, set[int]],
    settings: Settings | None = None,
    text_of: TextOf | None = None,
) -> list[Finding]:
    """The findings among `places`: lines of files where something was registered.

    `text_of` knows what was never a file, such as the cells of a notebook.
    """
    reader = Reader(settings or Settings(), text_of)
    return [one for path, lines in sorted(places.items()) for one in reader.of(path, lines)]


class Reader:
    """Reads each file once, as long as it stays as it is."""

    def __init__(self, settings: Settings, text_of: TextOf | None = None) -> None:
        self._programs = Programs(settings)
        self._text_of = text_of
        self._read: dict[str, tuple[Text, list[Finding]]] = {}

    def of(self, path: str, lines: set[int]) -> list[Finding]:
        """The findings at `lines` of `path`."""
        text = (self._text_of and self._text_of(path)) or _on_disk(path)
        if not any(_stacks_decorators(source) for _, source in text):
            return []
        known = self._read.get(path)
        if known is None or known[0] != text:
            known = self._read[path] = (text, self._found(path, text))
        return [one for one in known[1] if one.place.line in lines]

    def _found(self, path: str, text: Text) -> list[Finding]:
        home = path if os.path.exists(path) else str(Path.cwd() / "cell.py")
        try:
            timelines = observe(home, b"\n".join(t for _, t in text), self._programs.of(home))
        except SourceError:
            return []
        own = [
            tuple(
                replace(event, displaced=()) if isinstance(event, Registered) else event
                for event in timeline
                if isinstance(event, Registered | DecoratorStack)
            )
            for timeline in timelines
        ]
        found = [one for one in judge(own) if one.place.path == home]
        return [one for one in _as_they_ran(found, home, text) if one.place.path == path]


def _on_disk(path: str) -> Text:
    # How installed packages stack their decorators is not up to the program.
    if not path.endswith(".py") or is_installed(path):
        return ()
    try:
        return ((path, Path(path).read_bytes()),)
    except OSError:
        return ()


def _stacks_decorators(source: bytes) -> bool:
    """Whether any definition may have two decorators: most files have none, and reading the
    others takes its time."""
    below = False
    for line in source.splitlines():
        words = line.split(None, 1)
        if words and words[0].startswith(b"@"):
            if below:
                return True
            below = True
        elif words and words[0] in (b"def", b"async", b"class"):
            below = False
    return False


def _as_they_ran(found: list[Finding], home: str, text: Text) -> list[Finding]:
    """Findings in texts that were read as one, with their places in each."""
    starts, line = [], 1
    for name, source in text:
        starts.append((line, name))
        line += source.count(b"\n") + 1

    def there(place: Place) -> Place:
        if place.path != home:
            return place
        start, name = next(one for one in reversed(starts) if one[0] <= place.line)
        above = start - 1
        return replace(place, path=name, line=place.line - above, end_line=place.end_line - above)

    return [one.moved(there) for one in found]
