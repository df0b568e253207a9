"""Which registrations leave compiled code behind: what PJ003 and PJ004 share.

A registration that displaces a held choice is open until the traces that hold the choice are
cleared. It is reported when a function that they belong to is called first, whichever of its
traces that call finds, or when the run ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plum_jit_lint.events import (
    Choice,
    Cleared,
    Displaced,
    Event,
    Method,
    PathCondition,
    Registered,
    Stack,
    Traced,
    Used,
    covers,
    exclude_each_other,
)
from plum_jit_lint.findings import Finding, Place, Related, Role, Severity


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


def stale_registrations(events: Iterable[Event]) -> Iterator[Stale]:
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
    for stale in found:
        if stale.open(traced):
            stale.sure = stale.sure and stale.surely_open(traced)
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
            if not covers(ways, stale.registered.when | trace.when):
                stale.sure = False
                continue
            choices.discard(displaced.choice)
            if trace.entry in stale.entries and not choices:
                _right_again(stale, trace, stale.registered.when)


def _right_again(stale: Stale, trace: Traced, when: PathCondition) -> None:
    """A trace is no concern any more where `when` holds."""
    ways = stale.cleared.setdefault(trace.entry, [])
    ways.append(when)
    if covers(ways, stale.registered.when | trace.when):
        stale.entries.discard(trace.entry)
        if not (stale.used or stale.perhaps_used) and len(stale.callers) > 1:
            # In time: only the others are anybody's concern.
            stale.callers.pop(trace.entry, None)


# -- findings --------------------------------------------------------------------------------


def finding(stale: Stale, code: str, name: str, message: str) -> Finding:
    """A finding with its related places: first uses, calls, compiled methods, registration."""
    event = stale.registered
    first = next(iter(stale.callers.values()))[0]
    place = placed(first.stack, event.stack)
    related: dict[Related, None] = {}
    for traced, displaced in stale.callers.values():
        related.update(dict.fromkeys(_caller(traced, displaced.choice)))
    if place != event.stack[-1]:
        sentence = f"`{event.method.label}` is registered here"
        related[Related(Role.REGISTRATION, event.stack[-1], sentence)] = None
    severity = Severity.ERROR if stale.sure else Severity.WARNING
    return Finding(code, name, severity, message, place, str(event.function), tuple(related))


def _caller(traced: Traced, choice: Choice) -> Iterator[Related]:
    sentence = f"`{traced.callable}` is traced here, and keeps what it chooses"
    yield Related(Role.FIRST_USE, traced.stack[-1], sentence)
    for number, step in enumerate(choice.chain):
        last = number == len(choice.chain) - 1
        callee = str(choice.function) if last else choice.chain[number + 1].caller
        sentence = f"`{step.caller}` calls `{callee}` here"
        yield Related(Role.CALL, step.place, sentence)
    if isinstance(choice.held, Method) and choice.held.place is not None:
        sentence = f"`{choice.held.label}` is the method that was compiled in"
        yield Related(Role.COMPILED_METHOD, choice.held.place, sentence)


def placed(first_use: Stack, registration: Stack) -> Place:
    """Where a finding stands: in the file whose own order makes the registration late.

    Down both stacks to where they part, then on down the registration's as long as it stays in
    that file.
    """
    parted = 0
    last = len(registration) - 1
    while parted < min(last, len(first_use)) and first_use[parted] == registration[parted]:
        parted += 1
    while parted < last and registration[parted + 1].path == registration[parted].path:
        parted += 1
    return registration[parted]


def _named(held: Method, registered: Registered) -> str:
    """A method with its line, since the new one is often spelled like it."""
    if held.place is None:
        return f"`{held.label}`"
    elsewhere = held.place.path != registered.stack[-1].path
    file = f"{held.place.path.replace(chr(92), '/').rpartition('/')[2]} " if elsewhere else ""
    return f"`{held.label}` of {file}{held.place.line_told}"


_KEPT = {
    None: "the method it chose",
    "none": "that there was no method",
    "ambiguous": "that the call was ambiguous",
}


def consequence(stale: Stale) -> str:
    """What the compiled code keeps, and what plum would choose now."""
    traced, displaced = next(iter(stale.callers.values()))
    held = displaced.choice.held
    keeps = _named(held, stale.registered) if isinstance(held, Method) else _KEPT[held]
    others = len(stale.callers) - 1
    who = f"`{traced.callable}`" + (f" and {others} more" if others else "")
    may = "" if stale.sure else "may "
    verb = "keep" if others or may else "keeps"
    now = ""
    if not isinstance(displaced.retrace_choice, Method):
        trouble = {"ambiguous": "would be ambiguous", "none": "would find no method"}
        now = f", while a new trace {trouble[displaced.retrace_choice]}"
    kept = f"{who} {may}{verb} {keeps} for {displaced.choice.arguments}{now}"
    if all(traced.frozen for traced, _ in stale.callers.values()):
        kept = f"{kept}; it is compiled for good, and nothing refreshes it"
    return kept if stale.sure or not displaced.why else f"{kept}: {displaced.why}"
