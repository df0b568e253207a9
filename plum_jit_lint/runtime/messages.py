"""What the watch says: the warning, the error, and their text."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from types import ModuleType

from plum_jit_lint.findings import Finding, Place, Role
from plum_jit_lint.project.patterns import shown


class StaleJitWarning(UserWarning):
    """A registration left compiled code behind that keeps an older choice of method."""


class StackedJitWarning(UserWarning):
    """A definition has decorators of both kinds, in an order that is worth a word."""


STACKED = ("PJ001", "PJ002")


class StaleJitError(RuntimeError):
    """The same as an error; the method is registered all the same.

    `findings` are what the registration made stale.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(text, self.findings)))


def fail(findings: Iterable[Finding]) -> None:
    """Raises a `StaleJitError`."""
    __tracebackhide__ = True
    raise StaleJitError(findings)


def warn_of_use(finding: Finding, used: Place | None) -> None:
    """Warns at the line where something stale is used."""
    registered = registration_of(finding)
    said = f"{text(finding)}\n  {where(registered)}: it is registered here"
    _warn_at(used or registered, said, StaleJitWarning)


def warn(finding: Finding) -> None:
    """Warns at the line of the registration."""
    category = StackedJitWarning if finding.code in STACKED else StaleJitWarning
    _warn_at(registration_of(finding), text(finding), category)


def _warn_at(place: Place, said: str, category: type[Warning]) -> None:
    home = _module_of(place.path)
    registry = None if home is None else vars(home).setdefault("__warningregistry__", {})
    # Without the name of a module, Python drops a warning in silence.
    name = os.path.splitext(place.path)[0] if home is None else home.__name__
    warnings.warn_explicit(said, category, place.path, place.line, module=name, registry=registry)


def _module_of(path: str) -> ModuleType | None:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.abspath(file) == path:
            return module
    return None


def registration_of(finding: Finding) -> Place:
    """The registration's own place, which may lie below that of the finding."""
    places = [one.place for one in finding.related if one.role is Role.REGISTRATION]
    return places[-1] if places else finding.place


def text(finding: Finding, named: Callable[[Place], str] | None = None) -> str:
    """A finding in a paragraph: what it says, where the compiled code was first called, through
    which calls it chose, and where the registration is, when that is elsewhere. `named` says how a
    place is called, otherwise `where`."""
    message = finding.message if named is None else finding.message_naming(named)
    parts = [f"{finding.code} {message}"]
    for related in finding.related:
        if related.role in (Role.FIRST_USE, Role.CALL, Role.REGISTRATION):
            parts.append(f"  {(named or where)(related.place)}: {related.message}")
    return "\n".join(parts)


def where(place: Place) -> str:
    """File and line, as short as it can be told from here."""
    path = shown(place.path) if os.path.isabs(place.path) else place.path
    return f"{path}:{place.line}"
