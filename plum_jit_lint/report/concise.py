"""One line a finding, for grep and editors."""

from __future__ import annotations

from plum_jit_lint.checking.one_file import is_internal
from plum_jit_lint.findings import Finding, Place, Problem, Role, UnusedComment
from plum_jit_lint.lint import Report
from plum_jit_lint.project.source_lines import printable


def render(report: Report) -> str:
    """One line for each finding, then one for each comment that silences nothing."""
    lines = [*map(finding_line, report.findings), *map(unused_line, report.unused)]
    return "".join(f"{line}\n" for line in lines)


def where(place: Place) -> str:
    """`path:line:column`, which editors and terminals can follow."""
    return f"{printable_path(place.path)}:{place.line}:{place.column}"


def printable_path(path: str) -> str:
    """A path as a line may begin with it: GitHub takes what begins with `::` for a command."""
    text = printable(path)
    return f"./{text}" if text.lstrip().startswith("::") else text


def message_text(finding: Finding) -> str:
    """What a finding says."""
    return f"{finding.code} {finding.severity.label}: {printable(finding.message)}"


def finding_text(finding: Finding) -> str:
    """A finding in one line without its place, with that of the first trace."""
    said = message_text(finding)
    traced = next((one.place for one in finding.related if one.role is Role.FIRST_USE), None)
    return said if traced is None else f"{said} (traced at {printable(traced.path)}:{traced.line})"


def unused_text(comment: UnusedComment) -> str:
    """What is wrong with a comment that silences nothing, without its place."""
    return f"unused comment: `# noqa: {printable(comment.code)}` silences nothing here"


def unused_line(comment: UnusedComment) -> str:
    """The same in one line."""
    return f"{printable_path(comment.path)}:{comment.line}:{comment.column}: {unused_text(comment)}"


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
    parts = [printable_path(problem.path)]
    if problem.line is not None:
        parts += [str(problem.line), str(problem.column or 1)]
    return f"{':'.join(parts)}: {problem_text(problem)}"
