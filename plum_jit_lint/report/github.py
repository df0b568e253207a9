"""Workflow commands, which GitHub Actions shows beside the changed lines."""

from __future__ import annotations

from pathlib import Path

from plum_jit_lint.findings import Finding, Problem, Severity, UnusedComment
from plum_jit_lint.lint import Report
from plum_jit_lint.project.shown_lines import Lines
from plum_jit_lint.report.concise import finding_line, problem_line, unused_line, where

_COMMANDS = {Severity.NOTE: "notice", Severity.WARNING: "warning", Severity.ERROR: "error"}


def render(report: Report) -> str:
    """One command for each finding, each comment that silences nothing, and each problem."""
    read = Lines(report.sources)
    lines = [_finding(finding, read) for finding in report.findings]
    lines += [_unused(comment) for comment in report.unused]
    lines += [_problem(problem) for problem in report.problems]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, lines: Lines) -> str:
    place = finding.place
    properties: dict[str, object] = {
        "title": f"{finding.code} {finding.name}",
        "file": Path(place.path).as_posix(),
    }
    sentences = [finding_line(finding)]
    if place.cell is not None:
        # GitHub shows the file, of which the columns are others.
        properties["line"] = lines.in_file(place)
        sentences += [f"cell {place.cell.number}, id {place.cell.id}"] if place.cell.id else []
    else:
        properties |= {"line": place.line, "col": place.column, "endLine": place.end_line}
        # A column of the end is only understood within one line.
        if place.end_line == place.line:
            properties["endColumn"] = place.end_column
    sentences += [f"{where(related.place)}: {related.message}" for related in finding.related]
    return _command(_COMMANDS[finding.severity], properties, "\n".join(sentences))


def _unused(comment: UnusedComment) -> str:
    properties: dict[str, object] = {
        "title": "plum-jit-lint",
        "file": Path(comment.path).as_posix(),
    }
    if comment.cell is None:
        properties |= {"line": comment.line, "col": comment.column}
    return _command("warning", properties, unused_line(comment))


def _problem(problem: Problem) -> str:
    properties: dict[str, object] = {
        "title": "plum-jit-lint",
        "file": Path(problem.path).as_posix(),
    }
    if problem.line is not None and problem.cell is None:
        properties["line"] = problem.line
        properties["col"] = problem.column or 1
    return _command("error", properties, problem_line(problem))


def _command(command: str, properties: dict[str, object], message: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{command} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
