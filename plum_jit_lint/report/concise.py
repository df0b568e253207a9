"""One line a finding, for grep and editors."""

from __future__ import annotations

from plum_jit_lint.checking.one_file import is_internal
from plum_jit_lint.findings import Cell, Finding, Place, Problem, UnusedComment
from plum_jit_lint.lint import Report
from plum_jit_lint.project.source_lines import printable


def render(report: Report) -> str:
    """One line for each finding, then one for each comment that silences nothing."""
    lines = [*map(finding_line, report.findings), *map(unused_line, report.unused)]
    return "".join(f"{line}\n" for line in lines)


def where(place: Place) -> str:
    """`path:line:column`, which editors and terminals can follow, and `path:cell number:...` in a
    notebook, as ruff writes it."""
    return f"{printable(place.path)}:{_cell(place.cell)}{place.line}:{place.column}"


def _cell(cell: Cell | None) -> str:
    return "" if cell is None else f"cell {cell.number}:"


def finding_text(finding: Finding) -> str:
    """A finding in one line without its place. What it names has path and line: there are no
    lines below that would show it."""
    message = finding.message_naming(lambda place: f"{place.path}:{_cell(place.cell)}{place.line}")
    return f"{finding.code} {finding.severity.label}: {printable(message)}"


def unused_text(comment: UnusedComment) -> str:
    """What is wrong with a comment that silences nothing, without its place."""
    return f"unused comment: `# noqa: {printable(comment.code)}` silences nothing here"


def unused_line(comment: UnusedComment) -> str:
    """The same in one line."""
    place = f"{printable(comment.path)}:{_cell(comment.cell)}{comment.line}:{comment.column}"
    return f"{place}: {unused_text(comment)}"


def finding_line(finding: Finding) -> str:
    """A finding in one line."""
    return f"{where(finding.place)}: {finding_text(finding)}"


def problem_text(problem: Problem) -> str:
    """A problem in one sentence without its place."""
    if is_internal(problem.message):
        return printable(problem.message)
    return f"cannot be read: {printable(problem.message)}"


def problem_line(problem: Problem) -> str:
    """A problem in one line."""
    place = printable(problem.path)
    if problem.line is not None:
        place += f":{_cell(problem.cell)}{problem.line}:{problem.column or 1}"
    return f"{place}: {problem_text(problem)}"
