"""Findings as plain values and back: the cache keeps them so, and a process that was watched hands
them over so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from plum_jit_lint.findings import Cell, Finding, Place, Related, Role, Severity


def encode(finding: Finding) -> dict[str, Any]:
    """A finding as dictionaries, lists, strings and numbers."""
    return asdict(finding)


def decode(value: Mapping[str, Any]) -> Finding:
    """The finding that was encoded. `KeyError`, `TypeError`, `ValueError` or `AttributeError`
    where `value` is none."""
    return Finding(
        str(value["code"]),
        str(value["name"]),
        Severity(value["severity"]),
        tuple(part if isinstance(part, str) else decode_place(part) for part in value["text"]),
        decode_place(value["place"]),
        str(value["function"]),
        tuple(
            Related(Role(one["role"]), decode_place(one["place"]), str(one["message"]))
            for one in value["related"]
        ),
    )


def decode_place(value: Mapping[str, Any]) -> Place:
    """The place that was encoded as part of a finding; the errors are those of `decode`."""
    names = ("line", "column", "end_line", "end_column")
    line, column, end_line, end_column = (int(value[name]) for name in names)
    return Place(str(value["path"]), line, column, end_line, end_column, decode_cell(value["cell"]))


def decode_cell(value: Mapping[str, Any] | None) -> Cell | None:
    """The cell of a place; the errors are those of `decode`."""
    if value is None:
        return None
    return Cell(int(value["number"]), None if value["id"] is None else str(value["id"]))
