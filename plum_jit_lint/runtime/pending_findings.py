"""Registrations that displaced something: each with the stretch of the timeline that judges it.

A registration is judged by the same rules as in the sources. Only what can matter to it is
kept: the traces that hold the choice, the registration, and what happens to those traces later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from plum_jit_lint.events import SURELY, Cleared, Event, Registered, Traced, Used
from plum_jit_lint.findings import Finding
from plum_jit_lint.rules import MergeKey, in_order, judge, merge_into


@dataclass(slots=True)
class PendingFinding:
    """One registration. `entries` are the traces with what it displaced that are still there and
    were not used since."""

    events: list[Event]
    entries: set[int]

    def findings(self) -> list[Finding]:
        """What the rules say about it by now."""
        return judge([tuple(self.events)])

    def used(self) -> list[Finding]:
        """What they say of the traces that were used, as if all others were cleared."""
        traced = tuple(event.entry for event in self.events if isinstance(event, Traced))
        return judge([(*self.events, Cleared((), SURELY, traced))])


def case_of(traced: Iterable[tuple[Traced, bool]], registered: Registered) -> PendingFinding:
    """The case of a registration; each trace that holds a displaced choice comes with whether it
    was used directly since it was made."""
    events: list[Event] = []
    for event, used in traced:
        events.append(event)
        if used and not event.outermost:
            events.append(Used(event.entry, event.stack, SURELY, outermost=True))
    events.append(registered)
    return PendingFinding(events, {displaced.entry for displaced in registered.displaced})


@dataclass(slots=True)
class Cases:
    """The open cases, and the findings of those that are settled."""

    settled: dict[MergeKey, Finding] = field(default_factory=dict)
    open: list[PendingFinding] = field(default_factory=list)
    _kept: dict[int, Traced] = field(default_factory=dict)
    """The traces that are kept, which tell of what function they are, by their numbers."""

    def happened(self, event: Traced | Used | Cleared) -> list[Finding]:
        """Adds an event to every case that it concerns. Returns the findings that it settles by a
        use of what is compiled for good."""
        settled: list[Finding] = []
        self._note(event)
        for case in list(self.open):
            used: set[int] = set()
            match event:
                case Traced() if case.entries.intersection(event.inner):
                    case.entries.add(event.entry)
                    if event.outermost:
                        used = case.entries.intersection((*event.inner, event.entry))
                case Used() if event.outermost and event.entry in case.entries:
                    used = {event.entry}
                case Cleared(entries=None):
                    case.entries -= _clearable(case)
                case Cleared(entries=tuple() as entries) if case.entries.intersection(entries):
                    case.entries.difference_update(entries)
                case Traced() | Used() if event.outermost and self._is_called(case, event):
                    # With other arguments: what is stale is not used, but nobody cleared it.
                    called = self._as_call(event)
                    case.events.append(called)
                    self.settle(case.used())
                    case.events.remove(called)
                    continue
                case _:
                    continue
            case.events.append(event)
            if used:
                case.entries -= used
                findings = case.used()
                self.settle(findings)
                if isinstance(event, Used) and event.entry in _frozen(case):
                    settled += findings
            if not case.entries:
                self.open.remove(case)
        return settled

    def _note(self, event: Traced | Used | Cleared) -> None:
        match event:
            case Traced():
                self._kept[event.entry] = event
            case Cleared(entries=None):
                self._kept = {n: one for n, one in self._kept.items() if one.frozen}
            case Cleared(entries=tuple() as entries):
                for entry in entries:
                    self._kept.pop(entry, None)

    def _as_call(self, event: Traced | Used) -> Traced:
        """The trace that a call finds, of which a case need not know, as that call."""
        found = self._kept[event.entry]
        return replace(found, stack=event.stack, outermost=True, choices=(), inner=())

    def _is_called(self, case: PendingFinding, event: Traced | Used) -> bool:
        known = self._kept.get(event.entry)
        function = None if known is None else known.traces_of
        return function is not None and any(
            isinstance(one, Traced) and one.outermost and one.traces_of == function
            for one in case.events
        )

    def restored(self, registered: Registered) -> None:
        """Tells the open cases that a registration puts back what traces of theirs hold."""
        back = [displaced for displaced in registered.displaced if displaced.restores]
        for case in self.open:
            here = tuple(one for one in back if one.entry in case.entries)
            if here:
                case.events.append(replace(registered, displaced=here))

    def settle(self, findings: Iterable[Finding]) -> None:
        """Findings that stay, whatever is cleared later."""
        merge_into(self.settled, findings)

    def findings(self) -> list[Finding]:
        """Everything that is found by now: what is settled, and what is open still."""
        found = dict(self.settled)
        for case in self.open:
            merge_into(found, case.findings())
        return in_order(found)


def _clearable(case: PendingFinding) -> set[int]:
    return case.entries - _frozen(case)


def _frozen(case: PendingFinding) -> set[int]:
    return {e.entry for e in case.events if isinstance(e, Traced) and e.frozen}
