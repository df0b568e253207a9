"""One JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from plum_jit_lint.findings import Cell, Finding, Problem, Related, UnusedComment
from plum_jit_lint.lint import Report


def render(report: Report) -> str:
    """The whole report as one object; columns count characters from 1, ends are exclusive. In a
    notebook lines are those of the cell."""
    document: dict[str, Any] = {
        "version": 1,
        "findings": [_finding(finding) for finding in report.findings],
        "errors": [_problem(problem) for problem in report.problems],
    }
    if report.incomplete:
        document["incomplete"] = [_problem(one) for one in report.incomplete]
    if report.unused:
        document["unused_noqa"] = [_unused(comment) for comment in report.unused]
    return dumped(document)


def dumped(document: Mapping[str, Any]) -> str:
    """A document in plain ASCII. Half a surrogate pair, which may stand for a byte in the name of a
    file, is written out: strict readers refuse it. Nor is anything left that a service that runs
    builds takes for a command."""
    text = _NOT_PLAIN.sub(_escaped, json.dumps(document, indent=2, ensure_ascii=False))
    return _COMMAND.sub(r"#\\u0023", text) + "\n"


_NOT_PLAIN = re.compile(r"[^\n\x20-\x7e]")
_COMMAND = re.compile(r"##(?=\w*\[)")


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if "\ud800" <= character <= "\udfff":
        return f"\\\\u{ord(character):04x}"
    return json.dumps(character)[1:-1] if ord(character) > 0x7F else f"\\u{ord(character):04x}"


def _unused(comment: UnusedComment) -> dict[str, Any]:
    told = asdict(comment)
    del told["cell"]
    return {**told, **_cell(comment.cell)}


def _finding(finding: Finding) -> dict[str, Any]:
    place = finding.place
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "message": finding.message,
        "path": place.path,
        **_cell(place.cell),
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "function": finding.function,
        "related": [_related(related) for related in finding.related],
    }


def _related(related: Related) -> dict[str, Any]:
    return {
        "role": related.role.value,
        "path": related.place.path,
        **_cell(related.place.cell),
        "line": related.place.line,
        "column": related.place.column,
        "message": related.message,
    }


def _cell(cell: Cell | None) -> dict[str, Any]:
    """Only a notebook has cells."""
    return {} if cell is None else {"cell": cell.number, "cell_id": cell.id}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "path": problem.path,
        **_cell(problem.cell),
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
