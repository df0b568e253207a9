"""Lines of files for showing them, and where in a file a place of a notebook stands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plum_jit_lint.findings import Cell, Place
from plum_jit_lint.project.notebooks import NotebookError, read_notebook
from plum_jit_lint.project.source_lines import source_lines


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of files; `sources` holds what is not to be read from the disk."""

    sources: Mapping[str, bytes]
    _read: dict[tuple[str, Cell | None], list[str]] = field(default_factory=dict)
    _in_file: dict[str, dict[tuple[int, int], int]] = field(default_factory=dict)

    def get(self, place: Place) -> str | None:
        """The line in which `place` begins, without its end; `None` where there is none."""
        key = (place.path, place.cell)
        if key not in self._read:
            self._read[key] = self._load(place)
        lines = self._read[key]
        if not 1 <= place.line <= len(lines):
            return None
        return lines[place.line - 1].rstrip("\n")

    def in_file(self, place: Place) -> int:
        """The line of the file in which a place of a notebook begins; that of the cell where it
        is written in one line."""
        if place.path not in self._in_file:
            self._in_file[place.path] = self._lines_in_file(place.path)
        assert place.cell is not None
        found = self._in_file[place.path]
        return found.get((place.cell.number, place.line)) or found.get((place.cell.number, 1), 1)

    def _lines_in_file(self, path: str) -> dict[tuple[int, int], int]:
        try:
            return dict(_lines_in_file(self._source(path)))
        except (ValueError, RecursionError):
            # Changed since, or deeper than Python's own scanner goes: the first line is none of it.
            return {}

    def _load(self, place: Place) -> list[str]:
        source = self._source(place.path)
        if place.cell is None:
            return source_lines(source)
        try:
            cells = read_notebook(source).cells
        except NotebookError:
            return []
        found = [one.source.split("\n") for one in cells if one.cell == place.cell]
        return found[0] if found else []

    def _source(self, path: str) -> bytes:
        source = self.sources.get(path)
        if source is not None:
            return source
        try:
            return Path(path).read_bytes()
        except OSError:
            return b""


class _Text(str):
    """A string of a JSON text, with the line that it begins in."""

    line = 0


def _lines_in_file(source: bytes) -> Iterator[tuple[tuple[int, int], int]]:
    """For the lines of the cells of a notebook, by cell and line, those of its file."""
    document = _with_lines(source.decode("utf-8-sig", errors="replace"))
    cells = document.get("cells")
    if not isinstance(cells, list):
        cells = [cell for sheet in document.get("worksheets", ()) for cell in sheet["cells"]]
    for number, cell in enumerate(cells, 1):
        given = cell.get("source", cell.get("input", ()))
        line = 1
        for piece in [given] if isinstance(given, _Text) else given:
            yield (number, line), piece.line
            line += piece.count("\n")


def _with_lines(text: str) -> Any:
    decoder = json.JSONDecoder()
    scan = json.decoder.scanstring  # type: ignore[attr-defined]
    counted = [0, 0]

    def string(text: str, end: int, strict: bool = True) -> tuple[str, int]:
        value, after = scan(text, end, strict)
        found = _Text(value)
        counted[:] = [counted[0] + text.count("\n", counted[1], end), end]
        found.line = counted[0] + 1
        return found, after

    decoder.parse_string = string  # type: ignore[attr-defined]
    # The scanner in C asks nobody how to read a string.
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(text)
