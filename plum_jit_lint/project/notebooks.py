"""Jupyter notebooks: the code cells in their order are one program.

The rest of the checker sees a text. Where its lines stand in the cells is asked when a finding is
told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

from plum_jit_lint.findings import Cell, Place, Problem, UnusedComment
from plum_jit_lint.project import magics
from plum_jit_lint.project.files_of_cells import FilesOfCells
from plum_jit_lint.project.magics import Line
from plum_jit_lint.project.source_lines import bytes_of_file

T = TypeVar("T")

SUFFIX = ".ipynb"

RAISES = "raises-exception"
"""The tag of a cell that is meant to fail: the notebook goes on."""

SKIPPED = "skip-execution"
"""The tag of a cell that nobody runs with the others."""


class NotebookError(Exception):
    """A notebook that is none, or none of Python."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class CodeCell:
    """A code cell as it is written."""

    cell: Cell
    source: str
    may_raise: bool = False


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that a cell writes when it runs."""

    cell: Cell
    lines: tuple[Line, ...]

    @property
    def text(self) -> bytes:
        text = "".join(f"{line.text}\n" for line in self.lines)
        return text.encode("utf-8", errors="surrogatepass")

    def in_cell(self, place: Place, path: str) -> Place:
        """A place in the file as one in the cell, which stands in the notebook `path`."""
        above = self.lines[0].number - 1 if self.lines else 0
        line, end_line = place.line + above, place.end_line + above
        return Place(path, line, place.column, end_line, place.end_column, self.cell)


def is_notebook(path: str | os.PathLike[str] | None) -> bool:
    """Whether the file of that name is a notebook."""
    return path is not None and os.fspath(path).endswith(SUFFIX)


@dataclass(frozen=True)
class Notebook:
    """A notebook as one program."""

    cells: Sequence[CodeCell]

    @cached_property
    def _lines(self) -> list[tuple[CodeCell, Line]]:
        found: list[tuple[CodeCell, Line]] = []
        files = FilesOfCells()
        for cell in self.cells:
            lines = magics.lines_of(cell.source)
            # What a cell says of its encoding nobody asks.
            first = [] if found else [Line("# coding: utf-8", 1, written=False)]
            own = [*first, *files.reloaded(cell.source), *_program_of(cell, lines)]
            # A cell ends where it ends: what it leaves open is not closed by the next one.
            own.append(Line("pass", len(lines), written=False))
            found.extend((cell, files.as_it_is(line)) for line in own)
            files.write(cell.source)
        return found

    @cached_property
    def program(self) -> bytes:
        """The text of the program."""
        lines = "".join(f"{line.text}\n" for _, line in self._lines)
        return lines.encode("utf-8", errors="surrogatepass")

    @cached_property
    def written_files(self) -> Mapping[str, WrittenFile]:
        """The files that cells write, by their names."""
        found: dict[str, WrittenFile] = {}
        files = FilesOfCells()
        for cell in self.cells:
            for name, lines in files.write(cell.source):
                found[name] = WrittenFile(cell.cell, tuple(lines))
        return found

    def place_in(self, line: int, column: int, *, is_end: bool = False) -> tuple[Cell, int, int]:
        """The cell, line and column in which a place of the program begins or ends."""
        if not self._lines:
            return Cell(1), 1, 1
        cell, found = self._lines[min(line, len(self._lines)) - 1]
        text = _nth(cell.source, found.number)
        width = len(text)
        if found.made:
            begin = width - len(text.lstrip()) + 1
            return cell.cell, found.number, max(begin, width + 1) if is_end else begin
        return cell.cell, found.number, max(1, min(column + found.shift, width + 1))

    def problem_in_cell(self, problem: Problem) -> Problem:
        """A problem of the program as one of a cell."""
        if problem.line is None:
            return problem
        cell, line, column = self.place_in(problem.line, problem.column or 1)
        return replace(problem, line=line, column=column, cell=cell)

    def in_cell(self, place: Place) -> Place:
        """A place of the program as one of a cell."""
        cell, line, column = self.place_in(place.line, place.column)
        _, end_line, end_column = self.place_in(place.end_line, place.end_column, is_end=True)
        return Place(place.path, line, column, end_line, end_column, cell)

    # -- the text that people see -----------------------------------------------------------

    @cached_property
    def written(self) -> list[str]:
        """The lines of all code cells as they are written."""
        return [line for cell in self.cells for line in cell.source.split("\n")]

    @cached_property
    def commented(self) -> bytes:
        """The same lines as Python's tokenizer reads them: those of IPython's own are comments."""
        found: list[str] = []
        for cell in self.cells:
            lines = magics.lines_of(cell.source)
            turned = {line.number for line in magics.as_python(lines) if not line.written}
            found.extend(f"# {one.text}" if one.number in turned else one.text for one in lines)
        return "".join(f"{line}\n" for line in found).encode("utf-8", errors="surrogatepass")

    def line_of(self, place: Place) -> int:
        """Which of these lines a place in a cell begins in."""
        above = 0
        for cell in self.cells:
            if place.cell is not None and cell.cell.number >= place.cell.number:
                break
            above += cell.source.count("\n") + 1
        return above + place.line

    def comment_in_cell(self, comment: UnusedComment) -> UnusedComment:
        """A comment in these lines as one of a cell."""
        line = comment.line
        for cell in self.cells:
            count = cell.source.count("\n") + 1
            if line <= count:
                return replace(comment, line=line, cell=cell.cell)
            line -= count
        return comment


def _program_of(cell: CodeCell, lines: Sequence[Line]) -> Iterator[Line]:
    found = _keeping_what_it_shows(cell, magics.as_python(lines))
    if not cell.may_raise:
        yield from found
    elif magics.is_python("".join(f"{line.text}\n" for line in found)):
        yield from magics.going_on(found, len(lines))


def _keeping_what_it_shows(cell: CodeCell, lines: list[Line]) -> list[Line]:
    """IPython keeps the value of the expression that a cell ends with. The name is as good as
    IPython's own, which counts the cells that have run."""
    shown = None if cell.source.rstrip().endswith(";") else magics.last_expression(lines)
    if shown is None:
        return lines
    name = f"_{cell.cell.number} = "
    line = lines[shown]
    kept = replace(line, text=f"{name}{line.text}", shift=line.shift - len(name))
    return [*lines[:shown], kept, *lines[shown + 1 :]]


def _nth(source: str, number: int) -> str:
    lines = source.split("\n")
    return lines[min(number, len(lines)) - 1]


@dataclass(frozen=True)
class Cells:
    """The cells that places of a program stand in, which begins with the notebook `path`."""

    path: str
    notebook: Notebook
    _others: dict[str, Notebook | None] = field(default_factory=dict)
    """Notebooks that it runs."""

    @cached_property
    def _written(self) -> Mapping[str, WrittenFile]:
        folder = os.path.dirname(os.path.abspath(self.path))
        return {
            os.path.realpath(os.path.join(folder, name)): file
            for name, file in self.notebook.written_files.items()
        }

    @property
    def texts_written(self) -> Mapping[str, bytes]:
        """The texts of the files that cells write, by their paths."""
        return {path: file.text for path, file in self._written.items()}

    def of_notebooks(self, thing: T) -> T:
        """`thing` with each place in the program of a notebook as the place in a cell."""
        return _with_places(thing, self._in_notebook)

    def of_written_files(self, thing: T) -> T:
        """`thing` with each place in a file that a cell writes as the place in that cell. The
        rules want to know that it is another file."""
        return _with_places(thing, self._in_written_file)

    def _in_notebook(self, place: Place) -> Place:
        notebook = self.notebook if place.path == self.path else self._other(place.path)
        return place if notebook is None else notebook.in_cell(place)

    def _in_written_file(self, place: Place) -> Place:
        file = self._written.get(place.path)
        return place if file is None else file.in_cell(place, self.path)

    def _other(self, path: str) -> Notebook | None:
        if path not in self._others:
            self._others[path] = notebook_in(path)
        return self._others[path]


def _with_places(thing: T, changed: Callable[[Place], Place]) -> T:
    """`thing`, which is made of dataclasses and tuples, with its places changed."""
    return cast(T, _changed(thing, changed))


def _changed(thing: object, changed: Callable[[Place], Place]) -> object:
    if isinstance(thing, Place):
        return changed(thing)
    if isinstance(thing, tuple):
        return tuple(_changed(one, changed) for one in thing)
    if is_dataclass(thing) and not isinstance(thing, type):
        values = ((one.name, getattr(thing, one.name)) for one in fields(thing))
        nested = (one for one in values if isinstance(one[1], tuple) or is_dataclass(one[1]))
        return replace(thing, **{name: _changed(value, changed) for name, value in nested})
    return thing


# -- reading ---------------------------------------------------------------------------------


def read_notebook(source: bytes) -> Notebook:
    """The notebook that stands in a file. `NotebookError` where it is none that can be checked."""
    document = _document(source)
    metadata = document.get("metadata")
    _require_python(metadata if isinstance(metadata, dict) else {})
    return Notebook(tuple(_code_cells(_cells_of(document))))


def _document(source: bytes) -> dict[str, Any]:
    try:
        document = json.loads(source.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotebookError(f"not a notebook: cannot be decoded as UTF-8: {error.reason}") from None
    except json.JSONDecodeError as error:
        message = f"not a notebook: not valid JSON: {error.msg}"
        raise NotebookError(message, error.lineno, error.colno) from None
    except RecursionError:
        raise NotebookError("not a notebook: nested too deeply") from None
    if not isinstance(document, dict):
        raise NotebookError("not a notebook: the JSON is no object")
    if not isinstance(document.get("nbformat"), int):
        raise NotebookError("not a notebook: the JSON has no `nbformat`")
    return document


def _require_python(metadata: Mapping[str, Any]) -> None:
    """Who has written no language has most likely written Python."""
    for table in ("language_info", "kernelspec"):
        told = metadata.get(table)
        if isinstance(told, dict):
            language = told.get("name" if table == "language_info" else "language")
            if isinstance(language, str) and language.strip():
                if language.strip().lower() not in ("python", "python3", "ipython"):
                    raise NotebookError(f"a notebook for {language.strip()}, not for Python")
                return


def _cells_of(document: Mapping[str, Any]) -> Sequence[Any]:
    if document["nbformat"] >= 4:
        cells = document.get("cells")
    else:
        # Up to version 3 the cells stand in worksheets, of which there was ever one.
        sheets = document.get("worksheets")
        if not isinstance(sheets, list) or not all(isinstance(one, dict) for one in sheets):
            raise NotebookError("not a notebook: it has no list of worksheets")
        cells = [cell for one in sheets for cell in _listed(one.get("cells"))]
    return _listed(cells)


def _listed(cells: object) -> list[Any]:
    if not isinstance(cells, list):
        raise NotebookError("not a notebook: it has no list of cells")
    return cells


def _code_cells(cells: Sequence[Any]) -> Iterator[CodeCell]:
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise NotebookError(f"not a notebook: cell {number} has no type")
        if cell["cell_type"] != "code":
            continue
        source = cell.get("source", cell.get("input"))
        if isinstance(source, list) and all(isinstance(one, str) for one in source):
            source = "".join(source)
        if not isinstance(source, str):
            raise NotebookError(f"not a notebook: cell {number} has no source")
        if cell.get("language", "python") != "python":
            continue
        if SKIPPED in _tags(cell):
            continue
        told = cell.get("id")
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        found = Cell(number, told if isinstance(told, str) else None)
        yield CodeCell(found, source.removesuffix("\n"), _may_raise(cell))


def _may_raise(cell: Mapping[str, Any]) -> bool:
    """Whether a cell is meant to fail, or has failed when it ran and was kept like that."""
    if RAISES in _tags(cell):
        return True
    outputs = cell.get("outputs")
    types = [one.get("output_type") for one in outputs or () if isinstance(one, dict)]
    return "error" in types or "pyerr" in types


def _tags(cell: Mapping[str, Any]) -> list[Any]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return tags if isinstance(tags, list) else []


def notebook_in(path: str) -> Notebook | None:
    """The notebook in a file; `None` where there is none."""
    source = bytes_of_file(path) if is_notebook(path) else None
    try:
        return None if source is None else read_notebook(source)
    except NotebookError:
        return None


def may_be_module(path: str) -> bool:
    """Whether a file that a cell writes is Python, and is not there to be checked by itself."""
    return path.partition("#")[0].endswith(".py") and not os.path.isfile(path)


def program_of_file(path: str) -> bytes | None:
    """The text of a file as Python, be it a notebook; `None` where there is none."""
    if not is_notebook(path):
        return bytes_of_file(path)
    notebook = notebook_in(path)
    return None if notebook is None else notebook.program
