"""Results as JSON, and back. What is read may have been written by somebody else: everything is
converted to the type that it should have, and what cannot be is an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from plum_jit_lint.checking.one_file import Checked, with_shown_paths
from plum_jit_lint.finding_codec import decode, decode_cell, encode
from plum_jit_lint.findings import Finding, Problem
from plum_jit_lint.project.patterns import absolute

if TYPE_CHECKING:
    from plum_jit_lint.syntax.nodes import Span

_SPAN = ("line", "column", "end_line", "end_column")


def to_record(result: Checked) -> dict[str, Any]:
    """A result as JSON can hold it."""
    problem = result.problem
    told = None if problem is None else asdict(problem)
    return {"problem": told, "findings": [_finding_record(one) for one in result.findings]}


def _finding_record(finding: Finding) -> dict[str, Any]:
    # Paths are shown as they look from the folder that somebody stands in.
    return encode(finding.moved(lambda one: replace(one, path=str(absolute(one.path)))))


def places(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of all places in that of a finding."""
    told = [part for part in finding["text"] if isinstance(part, dict)]
    return [*told, finding["place"], *(related["place"] for related in finding["related"])]


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
    findings = tuple(with_shown_paths(decode(one)) for one in record["findings"])
    return Checked(path, findings, _problem(path, record["problem"]))


def _problem(path: str, record: Mapping[str, Any] | None) -> Problem | None:
    if record is None:
        return None
    numbers = (record["line"], record["column"])
    line, column = (None if number is None else int(number) for number in numbers)
    return Problem(path, str(record["message"]), line, column, decode_cell(record["cell"]))
