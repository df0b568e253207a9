"""Files that the cells of a notebook write, and when a module that they write is loaded again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from plum_jit_lint.project import magics
from plum_jit_lint.project.magics import Line

_AUTORELOAD = re.compile(r"^[ \t]*%autoreload\b[ \t]*(\w*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\b(.*)", re.MULTILINE)
_ALWAYS = ("2", "all", "3", "complete")
_NOW = ("", "now")
_OFF = ("0", "off")


@dataclass(slots=True)
class FilesOfCells:
    """What the cells so far have written. A file that is written again has another name each time,
    since each text is one that something may have run."""

    _versions: dict[str, int] = field(default_factory=dict)
    _imported: set[str] = field(default_factory=set)
    """Words of the import lines."""
    _changed: list[str] = field(default_factory=list)
    """Texts of modules that nobody has loaded yet."""
    _autoreload: bool = False

    def reloaded(self, source: str) -> list[Line]:
        """What `%autoreload` does before a cell runs: it loads the modules again that have changed.
        The texts are run as they are now."""
        told = _AUTORELOAD.findall(source)
        changed = self._changed if self._autoreload or any(one in _NOW for one in told) else []
        found = [f'__import__("runpy").run_path("{name}")' for name in changed]
        changed.clear()
        for one in told:
            self._autoreload = one in _ALWAYS or (self._autoreload and one not in _OFF)
        return [Line(text, 1, written=False, made=True) for text in found]

    def write(self, source: str) -> Iterator[tuple[str, list[Line]]]:
        """Notes that a cell has run; the file that it has written, with the name of this text."""
        for names in _IMPORT.findall(source):
            self._imported.update(re.findall(r"\w+", names))
        written = magics.written_file(source)
        found = []
        if written is not None:
            name, lines = written
            self._versions[name] = self._versions.get(name, 0) + 1
            found.append((self._text_of(name), lines))
            if PurePath(name).stem in self._imported:
                self._changed.append(self._text_of(name))
        return iter(found)

    def as_it_is(self, line: Line) -> Line:
        """A line that runs a file, with the name of the text that the file has by now."""
        if line.written or "run_path(" not in line.text:
            return line
        text = line.text
        for name in self._versions:
            text = text.replace(f'run_path("{name}"', f'run_path("{self._text_of(name)}"')
        return replace(line, text=text)

    def _text_of(self, name: str) -> str:
        number = self._versions[name]
        return name if number == 1 else f"{name}#{number}"
