"""One JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from plum_jit_lint.findings import Finding, Problem, Related
from plum_jit_lint.lint import Report


def render(report: Report) -> str:
    """The whole report as one object; columns count characters from 1, ends are exclusive."""
    document: dict[str, Any] = {
        "version": 1,
        "findings": [_finding(finding) for finding in report.findings],
        "errors": [_problem(problem) for problem in report.problems],
    }
    if report.incomplete:
        document["incomplete"] = [_problem(one) for one in report.incomplete]
    if report.unused:
        document["unused_noqa"] = [asdict(comment) for comment in report.unused]
    return json.dumps(document, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    place = finding.place
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "message": finding.message,
        "path": place.path,
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
        "line": related.place.line,
        "column": related.place.column,
        "message": related.message,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
