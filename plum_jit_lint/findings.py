"""What a report is made of: places, findings, and problems with the input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """How sure a finding is, in rising order.

    `ERROR`: this will fail or give a wrong result when it runs; `WARNING`: it may;
    `NOTE`: worth knowing.
    """

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The severity as reports and configuration spell it: `note`, `warning`, `error`."""
        return self.name.lower()

    @classmethod
    def parse(cls, text: str) -> Severity:
        """The severity that `text` spells; `ValueError` names the known ones otherwise."""
        for severity in cls:
            if severity.label == text:
                return severity
        known = ", ".join(severity.label for severity in cls)
        raise ValueError(f"unknown severity {text!r} (known: {known})")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of source text.

    Lines and columns count from 1, columns in characters; the end is exclusive, so a place
    that covers `ab` at the start of a line has `column` 1 and `end_column` 3.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Role(StrEnum):
    """What a related place has to do with its finding."""

    REGISTRATION = "registration"
    FIRST_USE = "first-use"
    CALL = "call"
    COMPILED_METHOD = "compiled-method"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True)
class Related:
    """A place that explains a finding, with a sentence about it."""

    role: Role
    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One reported place.

    `function` is the dispatched function as a reader would call it (`area`, `Shape.area`).
    `related` is in the order in which a reader follows it: first use, chain of calls,
    compiled method, registration.
    """

    code: str
    name: str
    severity: Severity
    message: str
    place: Place
    function: str
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or folder that could not be checked, and why, in one line.

    `line` and `column` count from 1 and are `None` where the trouble has no place in the text.
    """

    path: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class UnusedComment:
    """A `# noqa` comment that names `code` without silencing anything. `line` and `column` count
    from 1."""

    path: str
    line: int
    column: int
    code: str
