"""What the watch says: the warning, the error, and their text."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable

from plum_jit_lint.findings import Finding, Place, Role
from plum_jit_lint.patterns import shown


class StaleJitWarning(UserWarning):
    """A registration left compiled code behind that keeps an older choice of method."""


class StaleJitError(RuntimeError):
    """The same as an error; the method is registered all the same.

    `findings` are what the registration made stale.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(text, self.findings)))


def warn(finding: Finding) -> None:
    """Warns at the line of the registration."""
    place = registration_of(finding)
    module = next(
        (
            name
            for name, one in list(sys.modules.items())
            if getattr(one, "__file__", None) == place.path
        ),
        None,
    )
    registry = vars(sys.modules[module]).setdefault("__warningregistry__", {}) if module else None
    warnings.warn_explicit(
        text(finding), StaleJitWarning, place.path, place.line, module=module, registry=registry
    )


def registration_of(finding: Finding) -> Place:
    """The registration's own place, which may lie below that of the finding."""
    places = [one.place for one in finding.related if one.role is Role.REGISTRATION]
    return places[-1] if places else finding.place


def text(finding: Finding, named: Callable[[Place], str] | None = None) -> str:
    """A finding in a paragraph: what it says, where the compiled code was first called,
    through which calls it chose, and where the registration is, when that is elsewhere. `named` says how a place is called, otherwise `where`."""
    parts = [f"{finding.code} {finding.message}"]
    for related in finding.related:
        if related.role in (Role.FIRST_USE, Role.CALL, Role.REGISTRATION):
            parts.append(f"  {(named or where)(related.place)}: {related.message}")
    return "\n".join(parts)


def where(place: Place) -> str:
    """File and line, as short as it can be told from here."""
    path = shown(place.path) if os.path.isabs(place.path) else place.path
    return f"{path}:{place.line}"
