"""What the program that begins with one file gives, before anybody selects from it."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plum_jit_lint.checking.garbage import less_collected
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.findings import Finding, Place, Problem
from plum_jit_lint.prefilter.dependencies import NOTHING, Dependencies
from plum_jit_lint.project.notebooks import (
    Cells,
    NotebookError,
    is_notebook,
    may_be_module,
    read_notebook,
)
from plum_jit_lint.project.patterns import absolute, shown
from plum_jit_lint.project.read_texts import Told
from plum_jit_lint.project.source_lines import printable, read_file

if TYPE_CHECKING:
    from plum_jit_lint.events import Timeline
    from plum_jit_lint.static.program import Program

_INTERNAL = "internal error"

STDIN = "stdin"
"""What reports call a text that has no file, as flake8 does."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of the program that begins with the file `path`, or why there are none.

    A few findings stand in another file: those of an import that runs both the jitted call and
    the late registration.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    problem: Problem | None = None
    beside: tuple[str, ...] = ()
    """Files that were asked for on the way, whether its import lines lead to them or not."""
    incomplete: tuple[str, ...] = ()
    """Why some of the program was not followed; what was found in the rest holds."""
    dependencies: Dependencies = NOTHING
    """Those that are new in this process."""
    read: Told = ()
    """The texts that another process has read."""


def check_file(path: str, programs: Programs, *, needs_syntax: bool = True) -> Checked:
    """Checks one file; trouble of any kind is a problem of that file. `needs_syntax`: it is told
    that it is no Python even where nothing in it can matter."""
    if not needs_syntax and programs.is_out_of_question(path):
        return Checked(path)
    try:
        source = read_file(path)
    except OSError as error:
        return Checked(path, problem=Problem(path, (error.strerror or str(error)).lower()))
    programs.texts.note(os.path.realpath(path), source)
    return check_text(path, source, programs, needs_syntax=needs_syntax)


def check_text(
    path: str | None, source: bytes, programs: Programs, *, needs_syntax: bool = True
) -> Checked:
    """Checks one text, which stands in the file `path` or in none."""
    name = path or STDIN
    dependencies = NOTHING
    incomplete: tuple[str, ...] = ()
    problem: Problem | None = None
    cells: Cells | None = None
    try:
        if path is not None and is_notebook(path):
            cells = Cells(name, read_notebook(source))
            if not needs_syntax and not programs.may_concern(source):
                return Checked(name)
            source = cells.notebook.program
        written = {} if cells is None else cells.texts_written
        timelines: Sequence[Timeline] = ()
        beside: tuple[str, ...] = ()
        if any(programs.may_matter(path, text) for text in (source, *written.values())):
            # Only now: it takes longer to load the observer than to see that a tree does without.
            from plum_jit_lint.static.observer import observe

            program = programs.of(path, written)
            try:
                program.not_followed.clear()
                program.failure = None
                with less_collected():
                    timelines = observe(name, source, program)
                    # Nobody else checks what only the notebook writes.
                    for file in filter(may_be_module, written):
                        timelines = [*timelines, *_if_python(observe, file, written[file], program)]
            finally:
                beside = program.read_since()
                dependencies = program.new_dependencies()
                incomplete = tuple(program.not_followed)
            if program.failure is not None:
                problem = _problem(name, program.failure)
                if cells is not None:
                    problem = cells.notebook.problem_in_cell(problem)
            # Another file that imports this one has read it.
            needs_syntax = needs_syntax and not program.has_read(name, source)
        if not timelines and needs_syntax:
            # The observer reads only what can matter.
            _require_syntax(source)
        return Checked(
            name,
            _judged(timelines, cells),
            problem,
            beside=beside,
            incomplete=incomplete,
            dependencies=dependencies,
        )
    except Exception as error:
        problem = _problem(name, error)
        if cells is not None:
            problem = cells.notebook.problem_in_cell(problem)
        return Checked(name, problem=problem, dependencies=dependencies)


def _if_python(
    observe: Callable[[str, bytes, Program], Sequence[Timeline]],
    path: str,
    source: bytes,
    program: Program,
) -> Sequence[Timeline]:
    from plum_jit_lint.syntax.source import SourceError

    try:
        return observe(path, source, program)
    except SourceError:
        return ()


def _judged(timelines: Sequence[Timeline], cells: Cells | None) -> tuple[Finding, ...]:
    if not timelines:
        return ()
    from plum_jit_lint.rules import judge

    if cells is None:
        return tuple(map(with_shown_paths, judge(timelines)))
    found = judge([cells.of_notebooks(timeline) for timeline in timelines])
    return tuple(with_shown_paths(cells.of_written_files(one)) for one in found)


def _require_syntax(source: bytes) -> None:
    """Raises `SourceError` unless `source` is Python."""
    from plum_jit_lint.syntax.source import read_source

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # It may be newer syntax than this Python's.
        read_source(source, by_libcst=False)


def internal_error(error: Exception) -> str:
    """A sentence for an error that is this program's own fault; raises it when debugging."""
    if os.environ.get("PLUM_JIT_LINT_DEBUG") == "1":
        raise error
    text = printable(str(error).partition("\n")[0])
    return f"{_INTERNAL}: {type(error).__name__}" + (f": {text}" if text else "")


def is_internal(message: str) -> bool:
    """Whether a problem is this program's own fault, and may be none the next time."""
    return message.startswith(_INTERNAL)


def _problem(name: str, error: Exception) -> Problem:
    # Imported late: an error in loading the observer is to be told like any other.
    from plum_jit_lint.syntax.source import SourceError

    if isinstance(error, SourceError | NotebookError):
        return Problem(name, printable(error.message), error.line, error.column)
    return Problem(name, internal_error(error))


def same_file(path: str, name: str) -> bool:
    """Whether two names stand for one file."""
    return path == name or (name != STDIN and absolute(path) == absolute(name))


def with_shown_paths(finding: Finding) -> Finding:
    """The finding with its paths as reports show them."""
    return finding.moved(_with_shown_path)


def _with_shown_path(place: Place) -> Place:
    if place.path == STDIN or place.path.startswith("<"):
        return place
    return replace(place, path=shown(place.path))
