"""What a report is made of: places, findings, and problems with the input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import TypeAlias


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
class Cell:
    """A cell of a notebook: its `number` among all cells, from 1, and its id if it has one."""

    number: int
    id: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of source text.

    Lines and columns count from 1, columns in characters; the end is exclusive, so a place
    that covers `ab` at the start of a line has `column` 1 and `end_column` 3. In a notebook they
    are those of the `cell`.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: Cell | None = None

    @property
    def line_told(self) -> str:
        """The line in the words of a sentence."""
        return f"line {self.line}" + ("" if self.cell is None else f" of cell {self.cell.number}")


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


Message: TypeAlias = tuple[str | Place, ...]
"""A sentence in its parts. The places in it are named when it is shown, since a line is called by
another name in a notebook, and is another line once something above it has changed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One reported place.

    `text` says what is wrong and ends in what to do. `function` is the dispatched function as a
    reader would call it (`area`, `Shape.area`). `related` is in the order in which a reader
    follows it: first use, chain of calls, compiled method, registration.
    """

    code: str
    name: str
    severity: Severity
    text: Message
    place: Place
    function: str
    related: tuple[Related, ...] = ()

    @property
    def message(self) -> str:
        """The text, with `line 14` for a place in the file of the finding, `shapes.py:14` for
        others."""
        return self.message_naming(self._name)

    def message_naming(self, name: Callable[[Place], str]) -> str:
        """The text with the places called as `name` does it."""
        return "".join(name(part) if isinstance(part, Place) else part for part in self.text)

    def moved(self, there: Callable[[Place], Place]) -> Finding:
        """The finding with all its places as `there` gives them."""
        return replace(
            self,
            text=tuple(there(part) if isinstance(part, Place) else part for part in self.text),
            place=there(self.place),
            related=tuple(replace(one, place=there(one.place)) for one in self.related),
        )

    def _name(self, place: Place) -> str:
        if place.path == self.place.path:
            return place.line_told
        cell = "" if place.cell is None else f"cell {place.cell.number}:"
        return f"{place.path.replace(chr(92), '/').rpartition('/')[2]}:{cell}{place.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or folder that could not be checked, and why, in one line.

    `line` and `column` count from 1 and are `None` where the trouble has no place in the text.
    """

    path: str
    message: str
    line: int | None = None
    column: int | None = None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class UnusedComment:
    """A `# noqa` comment that names `code` without silencing anything. `line` and `column` count
    from 1."""

    path: str
    line: int
    column: int
    code: str
    cell: Cell | None = None
