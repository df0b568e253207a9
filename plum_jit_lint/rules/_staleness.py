"""Which registrations leave compiled code behind: what PJ003 and PJ004 share.

A registration that displaces a held choice is open until the traces that hold the choice are
cleared. It is reported when a function that they belong to is called first, whichever of its
traces that call finds, or when the run ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plum_jit_lint.events import (
    Choice,
    Cleared,
    Displaced,
    PathCondition,
    Registered,
    Timeline,
    Traced,
    Used,
    exclude_each_other,
    implied_by,
)


@dataclass(slots=True, eq=False)
class Stale:
    """A registration and the traces that keep an older choice, for one of the two codes.

    `direct` says that the outermost traced callable is the dispatched function itself.
    """

    registered: Registered
    direct: bool
    callers: dict[int, tuple[Traced, Displaced]] = field(default_factory=dict)
    entries: set[int] = field(default_factory=set)
    choices: dict[int, set[Choice]] = field(default_factory=dict)
    """The choices that were displaced, by the trace that holds them."""
    traces: list[Traced] = field(default_factory=list)
    """The traces that hold them."""
    repeated: bool = False
    """The same line registers more than once, as in a loop."""
    cleared: dict[int, list[PathCondition]] = field(default_factory=dict)
    back: dict[tuple[int, Choice], list[PathCondition]] = field(default_factory=dict)
    """The branches in which plum chooses again what a trace holds."""
    sure: bool = False
    used: bool = False
    perhaps_used: bool = False
    """Used on some ways only, or by a function that was called with other arguments."""

    def open(self, traced: Mapping[int, Traced]) -> bool:
        """Whether the old choice is used: a trace that is found under some setting only counts
        once that comes back."""
        return self.perhaps_used or self.surely_open(traced)

    def surely_open(self, traced: Mapping[int, Traced]) -> bool:
        """Whether that holds on every way."""
        return self.used or any(not traced[entry].in_context for entry in self.entries)

    def use(self, when: PathCondition) -> None:
        """The old choice is used under conditions: `used` where those of the registration hold."""
        if when <= self.registered.when:
            self.used = True
        else:
            self.perhaps_used = True


def stale_registrations(events: Timeline) -> Iterator[Stale]:
    """The registrations after which compiled code keeps an older choice, in their order."""
    traced: dict[int, Traced] = {}
    roots: dict[int, dict[int, None]] = {}
    found: list[Stale] = []

    def reached_from(root: int, entry: int) -> None:
        if root in roots.setdefault(entry, {}):
            return
        roots[entry][root] = None
        for inner in traced[entry].inner:
            if inner in traced:
                reached_from(root, inner)

    for event in events:
        match event:
            case Traced():
                traced[event.entry] = event
                roots.setdefault(event.entry, {})
                if event.outermost:
                    reached_from(event.entry, event.entry)
                _traced_again(found, event)
                _called(found, event, traced, roots)
            case Used():
                if event.outermost and event.entry in traced:
                    reached_from(event.entry, event.entry)
                _called(found, event, traced, roots)
            case Cleared():
                _cleared(found, event, traced)
            case Registered() if event.displaced:
                _put_back(found, event, traced)
                found.extend(_displacing(event, traced, roots))
    times = Counter(event.stack[-1] for event in events if isinstance(event, Registered))
    for stale in found:
        if stale.open(traced):
            stale.sure = stale.sure and stale.surely_open(traced)
            stale.repeated = times[stale.registered.stack[-1]] > 1
            yield stale


def _displacing(
    event: Registered, traced: dict[int, Traced], roots: dict[int, dict[int, None]]
) -> Iterator[Stale]:
    by_code = {direct: Stale(event, direct) for direct in (True, False)}
    changed = [displaced for displaced in event.displaced if not displaced.restores]
    kept = {displaced.entry for displaced in changed}
    for displaced in changed:
        found = roots.get(displaced.entry, {})
        # An inner trace outlives the outer ones: then it stands for those that it was made for.
        alone = kept.isdisjoint(found)
        for root in found or (displaced.entry,):
            stale = by_code[traced[root].function == event.function]
            stale.entries.add(displaced.entry)
            stale.choices.setdefault(displaced.entry, set()).add(displaced.choice)
            stale.traces.append(traced[displaced.entry])
            if alone or displaced.entry == root:
                entry = displaced.entry
                stale.callers.setdefault(entry, (traced[entry], displaced))
            if displaced.sure and not event.when:
                stale.sure = True
    yield from (stale for stale in by_code.values() if stale.callers)


def _traced_again(found: Iterable[Stale], event: Traced) -> None:
    """A new trace that takes a stale one from the cache is stale as well."""
    for stale in found:
        if stale.entries.intersection(event.inner):
            stale.entries.add(event.entry)


def _called(
    found: Iterable[Stale],
    event: Traced | Used,
    traced: Mapping[int, Traced],
    roots: Mapping[int, Mapping[int, None]],
) -> None:
    """A function is called while one of its traces is stale: the old choice is used where that
    is the trace that the call finds, and where it finds another, clearing comes too late too."""
    if not event.outermost or event.entry not in traced:
        return
    function = traced[event.entry].traces_of

    def concerned(stale: Stale) -> bool:
        if not stale.entries or exclude_each_other(event.when, stale.registered.when):
            return False
        return event.entry in stale.entries or any(
            function is not None
            and traced[root].traces_of == function
            and not traced[root].in_context
            for entry in stale.entries
            for root in roots.get(entry) or (entry,)
        )

    called = [stale for stale in found if concerned(stale)]
    for stale in found:
        # The window of a registration is one, whichever code tells of it.
        if event.entry in stale.entries and stale in called:
            stale.use(event.when)
        elif stale.entries and any(one.registered is stale.registered for one in called):
            stale.perhaps_used = True


def _cleared(found: Iterable[Stale], event: Cleared, traced: dict[int, Traced]) -> None:
    for stale in found:
        if exclude_each_other(event.when, stale.registered.when):
            continue
        if event.entries is None:
            gone = {entry for entry in stale.entries if not traced[entry].frozen}
        else:
            gone = stale.entries.intersection(event.entries)
        for entry in gone:
            _right_again(stale, traced[entry], event.when)
        if gone and stale.entries <= stale.cleared.keys() and not stale.used:
            # All are cleared on some ways only: on the others the old choice is still used.
            stale.sure = False


def _put_back(found: Iterable[Stale], event: Registered, traced: dict[int, Traced]) -> None:
    """A registration after which plum chooses again what a trace holds (an overload that is
    registered with later ones, a script that is imported as well)."""
    restored = [displaced for displaced in event.displaced if displaced.restores and displaced.sure]
    for stale in found:
        for displaced in restored:
            choices = stale.choices.get(displaced.entry, set())
            apart = exclude_each_other(event.when, stale.registered.when)
            if displaced.choice not in choices or apart or stale.used:
                continue
            trace = traced[displaced.entry]
            ways = stale.back.setdefault((trace.entry, displaced.choice), [])
            ways.append(event.when)
            if not implied_by(ways, stale.registered.when | trace.when):
                stale.sure = False
                continue
            choices.discard(displaced.choice)
            if trace.entry in stale.entries and not choices:
                _right_again(stale, trace, stale.registered.when)


def _right_again(stale: Stale, trace: Traced, when: PathCondition) -> None:
    """A trace is no concern any more where `when` holds."""
    ways = stale.cleared.setdefault(trace.entry, [])
    ways.append(when)
    if implied_by(ways, stale.registered.when | trace.when):
        stale.entries.discard(trace.entry)
        if not (stale.used or stale.perhaps_used) and len(stale.callers) > 1:
            # In time: only the others are anybody's concern.
            stale.callers.pop(trace.entry, None)
