"""The finding of a registration that comes too late: where it stands, what it says, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.events import Choice, Method, Stack, Traced
from plum_jit_lint.findings import Finding, Message, Place, Related, Role, Severity
from plum_jit_lint.rules._staleness import Stale


def late_finding(stale: Stale, code: str, name: str) -> Finding:
    """The finding with its related places: first uses, calls, compiled methods, registration."""
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
    text = (*_consequence(stale), *_advice(stale, place))
    return Finding(code, name, severity, text, place, str(event.function), tuple(related))


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


# -- where it stands -------------------------------------------------------------------------


def placed(first_use: Stack, registration: Stack) -> Place:
    """Where a finding stands: in the file whose own order makes the registration late.

    Down both stacks to where they part, then on down the registration's as long as it stays in
    that file.
    """
    parted = _parting(first_use, registration)
    last = len(registration) - 1
    while parted < last and registration[parted + 1].path == registration[parted].path:
        parted += 1
    return registration[parted]


def _parting(first_use: Stack, registration: Stack) -> int:
    """How many calls the two have in common."""
    parted = 0
    last = min(len(registration), len(first_use)) - 1
    while parted < last and first_use[parted] == registration[parted]:
        parted += 1
    return parted


# -- what it says ----------------------------------------------------------------------------

_KEPT = {
    None: "the method it chose",
    "none": "that there was no method",
    "ambiguous": "that the call was ambiguous",
}

_NOW = {
    "none": ", while a new trace would find no method",
    "ambiguous": ", while a new trace would be ambiguous",
}


def _consequence(stale: Stale) -> Message:
    """Who keeps which method since when, and what plum would choose now if that is none."""
    traced, displaced = next(iter(stale.callers.values()))
    others = len(stale.callers) - 1
    who = f"`{traced.callable}`" + (" itself" if stale.direct else "")
    who += f" and {others} more" if others else ""
    verb = "keep" if others or not stale.sure else "keeps"
    now = displaced.retrace_choice
    return (
        f"`{stale.registered.method.label}` {'comes' if stale.sure else 'may come'} too late: "
        f"{who} {'were' if others else 'was'} traced at ",
        traced.stack[-1],
        f" and {'' if stale.sure else 'may '}{verb} ",
        *_held(displaced.choice.held),
        f" for {displaced.choice.arguments}",
        "" if isinstance(now, Method) else _NOW[now],
        "" if stale.sure else f": {displaced.why or _why(stale)}",
        ". ",
    )


def _why(stale: Stale) -> str:
    """What is not known of a registration that surely changes the choice if it runs."""
    if stale.registered.when:
        return "whether this line runs is not known"
    return "whether the old trace is used again, or cleared first, is not known"


def _held(held: object) -> Message:
    """What was compiled in. A method with its line, since the new one is often spelled like it."""
    if not isinstance(held, Method):
        return (_KEPT[held],)  # type: ignore[index]
    if held.place is None:
        return (f"`{held.label}`",)
    return (f"`{held.label}` (", held.place, ")")


# -- what to do ------------------------------------------------------------------------------


def _advice(stale: Stale, place: Place) -> Message:
    """How the registration comes in time, and what helps where it cannot."""
    earlier = _earlier(stale, place)
    if all(traced.frozen for traced, _ in stale.callers.values()):
        rest = "compile again after it: what is compiled ahead of time outlives `clear_caches()`."
    else:
        rest = "call `jax.clear_caches()` right after it."
    if earlier:
        return (*earlier, f", or {rest}")
    return (rest[0].upper() + rest[1:],)


def _earlier(stale: Stale, place: Place) -> Message:
    """What has to run before what, nothing where no order of lines tells it."""
    registration = stale.registered.stack
    uses = []
    for traced in (*(traced for traced, _ in stale.callers.values()), *stale.traces):
        parted = _parting(traced.stack, registration)
        uses.append((traced.stack[parted], registration[parted]))
    elsewhere = [use for use, _ in uses if use.path != place.path]
    if elsewhere:
        return ("Register it before ", elsewhere[0], " runs")
    first, statement = min(uses, key=lambda use: _order(use[0]))
    if stale.repeated or statement.path != place.path or _order(statement) <= _order(first):
        return ()
    if statement == place:
        return ("Move it above ", first)
    return ("Let ", statement, " run before ", first)


def _order(place: Place) -> tuple[int, int, int]:
    """What of a file stands above what. The cells of a notebook run from the first to the last."""
    return (0 if place.cell is None else place.cell.number, place.line, place.column)
