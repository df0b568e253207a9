"""One line a finding, for grep and editors."""

from __future__ import annotations

from plum_jit_lint.checking.one_file import is_internal
from plum_jit_lint.findings import Finding, Place, Problem
from plum_jit_lint.lint import Report
from plum_jit_lint.project.source_lines import printable


def render(report: Report) -> str:
    """One line for each finding."""
    return "".join(f"{finding_line(finding)}\n" for finding in report.findings)


def where(place: Place) -> str:
    """`path:line:column`, which editors and terminals can follow."""
    return f"{printable(place.path)}:{place.line}:{place.column}"


def finding_text(finding: Finding) -> str:
    """A finding in one line without its place."""
    return f"{finding.code} {finding.severity.label}: {printable(finding.message)}"


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
    parts = [printable(problem.path)]
    if problem.line is not None:
        parts += [str(problem.line), str(problem.column or 1)]
    return f"{':'.join(parts)}: {problem_text(problem)}"
