"""Results as JSON, and back. What is read may have been written by somebody else: everything is
converted to the type that it should have, and what cannot be is an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from plum_jit_lint.checking.one_file import Checked, with_shown_paths
from plum_jit_lint.findings import Finding, Place, Problem, Related, Role, Severity
from plum_jit_lint.project.patterns import absolute

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

_SPAN = ("line", "column", "end_line", "end_column")

_LINE_TOLD = re.compile(r"\bline \d")


def to_record(result: Checked) -> dict[str, Any]:
    """A result as JSON can hold it."""
    problem = result.problem
    told = None if problem is None else [problem.message, problem.line, problem.column]
    return {"problem": told, "findings": [_finding_record(one) for one in result.findings]}


def _finding_record(finding: Finding) -> dict[str, Any]:
    record = asdict(finding)
    for place in places(record):
        # Paths are shown as they look from the folder that somebody stands in.
        place["path"] = str(absolute(place["path"]))
    return record


def places(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of all places in that of a finding."""
    return [finding["place"], *(related["place"] for related in finding["related"])]


def tells_a_line(finding: dict[str, Any]) -> bool:
    """Whether a message of a finding has the number of a line, which cannot be moved."""
    messages = [finding["message"], *(one["message"] for one in finding["related"])]
    return any(map(_LINE_TOLD.search, messages))


def move(place: dict[str, Any], moves: Mapping[Span, Span]) -> bool:
    """Takes a place to where it is now; whether that is known."""
    line, column, end_line, end_column = (int(place[name]) for name in _SPAN)
    now = moves.get((line, column, end_line, end_column))
    if now is None:
        return False
    place.update(zip(_SPAN, now, strict=True))
    return True


def from_record(path: str, record: dict[str, Any]) -> Checked:
    """The result of the file `path` that a record holds."""
    findings = tuple(with_shown_paths(_finding(one)) for one in record["findings"])
    return Checked(path, findings, _problem(path, record["problem"]))


def _finding(record: dict[str, Any]) -> Finding:
    return Finding(
        str(record["code"]),
        str(record["name"]),
        Severity(record["severity"]),
        str(record["message"]),
        _place(record["place"]),
        str(record["function"]),
        tuple(
            Related(Role(one["role"]), _place(one["place"]), str(one["message"]))
            for one in record["related"]
        ),
    )


def _place(record: dict[str, Any]) -> Place:
    numbers = (int(record[name]) for name in _SPAN)
    return Place(str(record["path"]), *numbers)


def _problem(path: str, record: list[Any] | None) -> Problem | None:
    if record is None:
        return None
    message, *place = record
    line, column = (None if number is None else int(number) for number in place)
    return Problem(path, str(message), line, column)
