"""Registrations that displaced something: each with the stretch of the timeline that judges it.

A registration is judged by the same rules as in the sources. Only what can matter to it is
kept: the traces that hold the choice, the registration, and what happens to those traces later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from plum_jit_lint.events import SURELY, Cleared, Event, Registered, Traced, Used
from plum_jit_lint.findings import Finding
from plum_jit_lint.rules import judge, merged


@dataclass(slots=True)
class Case:
    """One registration, and whether what it displaced is still there."""

    events: list[Event]
    entries: set[int]
    used: bool = False

    def findings(self) -> list[Finding]:
        """What the rules say about it by now."""
        return judge([tuple(self.events)])


def case_of(traced: Iterable[tuple[Traced, bool]], registered: Registered) -> Case:
    """The case of a registration; each trace that holds a displaced choice comes with whether it
    was used directly since it was made."""
    events: list[Event] = []
    for event, used in traced:
        events.append(event)
        if used and not event.outermost:
            events.append(Used(event.entry, event.stack, SURELY, outermost=True))
    events.append(registered)
    return Case(events, {displaced.entry for displaced in registered.displaced})


@dataclass(slots=True)
class Cases:
    """The open cases, and the findings of those that are settled."""

    settled: dict[tuple[object, ...], Finding] = field(default_factory=dict)
    open: list[Case] = field(default_factory=list)

    def happened(self, event: Traced | Used | Cleared) -> list[Finding]:
        """Adds an event to every case that it concerns. Returns the findings that it settles by a
        use of what is compiled for good."""
        settled: list[Finding] = []
        for case in list(self.open):
            match event:
                case Traced() if case.entries.intersection(event.inner):
                    case.entries.add(event.entry)
                    case.used = case.used or event.outermost
                case Used() if event.outermost and event.entry in case.entries:
                    case.used = True
                case Cleared(entries=None):
                    case.entries -= _clearable(case)
                case Cleared(entries=tuple() as entries) if case.entries.intersection(entries):
                    case.entries.difference_update(entries)
                case _:
                    continue
            case.events.append(event)
            if case.used or not case.entries:
                self.open.remove(case)
                findings = case.findings()
                self.settle(findings)
                if isinstance(event, Used) and event.entry in _frozen(case):
                    settled += findings
        return settled

    def settle(self, findings: Iterable[Finding]) -> None:
        """Findings that stay, whatever is cleared later."""
        for one in findings:
            key = (one.place, one.code, one.function)
            self.settled[key] = merged(self.settled[key], one) if key in self.settled else one

    def findings(self) -> list[Finding]:
        """Everything that is found by now: what is settled, and what is open still."""
        found = dict(self.settled)
        for case in self.open:
            for one in case.findings():
                key = (one.place, one.code, one.function)
                found[key] = merged(found[key], one) if key in found else one
        return sorted(found.values(), key=lambda one: (one.place, one.code, one.function))


def _clearable(case: Case) -> set[int]:
    return case.entries - _frozen(case)


def _frozen(case: Case) -> set[int]:
    return {e.entry for e in case.events if isinstance(e, Traced) and e.frozen}
