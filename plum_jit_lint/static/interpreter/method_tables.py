"""plum's tables of methods, and the held choices that a new method displaces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from plum_jit_lint.dispatch.resolution import Nothing, Registration, changes, outcomes
from plum_jit_lint.events import Displaced, FunctionId, Registered
from plum_jit_lint.limits import QUESTIONS_OF_A_STEP
from plum_jit_lint.static.interpreter import trace_table
from plum_jit_lint.static.interpreter.effects import Addition
from plum_jit_lint.static.interpreter.records import CachedTrace, HeldChoice, Key, Record
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.types.hints import Argument, Cls, Hint, InstanceArg


def create(run: Run, function: FunctionId, parameters: tuple[str, ...] | None) -> None:
    """Notes the first definition of a function, from which its signature is taken."""
    run.state.created.setdefault(function, parameters)
    run.state.own.add(function)


def possible_methods(run: Run, function: FunctionId) -> list[Record]:
    """The methods in the table that may be there in the branches that are taken."""
    return [one for one in run.state.tables.get(function, ()) if run.possible(one.when)]


def as_registrations(run: Run, records: Iterable[Record]) -> list[Registration[Hint]]:
    """Methods as plum's order takes them."""
    return [
        replace(one.registration, present=True if one.when <= run.state.path else None)
        for one in records
    ]


def outcomes_for(
    run: Run, records: Sequence[Record], given: tuple[Argument, ...]
) -> frozenset[Hashable]:
    """Everything that plum may choose among methods for arguments."""
    with counted(run, len(records)):
        return outcomes(as_registrations(run, records), given, run.state.oracle)


@contextmanager
def counted(run: Run, methods: int) -> Iterator[None]:
    """Counts the steps that a question about a number of methods takes."""
    before = run.state.oracle.questions
    yield
    asked = run.state.oracle.questions - before
    run.takes((asked + methods) // QUESTIONS_OF_A_STEP)


def add_in_one_go(
    run: Run, added: Sequence[Addition], open_function: bool
) -> tuple[Displaced, ...]:
    """Adds methods of one function, and says which held choices that displaces."""
    displaced: tuple[Displaced, ...] = ()
    record, event = added[-1]
    if run.state.holding.get(record.function):
        before = possible_methods(run, record.function)
        records = [record for record, _ in added]
        displaced = tuple(_displaced(run, records, before, open_function))
        gone = trace_table.forget(run, {one.entry for one in displaced}, event.stack)
        displaced = tuple(one for one in displaced if one.entry not in gone)
    for record, _ in added:
        add(run, record)
    return displaced


def add(run: Run, record: Record) -> None:
    """Adds to the table, after what was imported before and is put off."""
    if run.state.pending_imports:
        run.state.pending_imports.append(record)
        return
    known = run.state.tables.get(record.function, ())
    # A loop that runs one definition again and again leaves one method.
    if not known or _as_stored(known[-1]) != _as_stored(record):
        run.state.tables[record.function] = (*known, record)


def _as_stored(record: Record) -> Hashable:
    return (record.key, record.registration.signatures, record.when)


def with_displaced(
    added: Sequence[Addition], displaced: Iterable[Displaced]
) -> Iterator[Registered]:
    """The events of methods that are added in one go: each with the choices that are of it now,
    the last one with all others."""
    left = list(displaced)
    for record, event in added[:-1]:
        own = tuple(one for one in left if one.retrace_choice == record.method)
        left = [one for one in left if one not in own]
        yield replace(event, displaced=own)
    yield replace(added[-1][1], displaced=tuple(left))


def _displaced(
    run: Run, added: Sequence[Record], before: Sequence[Record], open_function: bool
) -> Iterator[Displaced]:
    # `changes` takes one object for one registration, so both sides share the old ones.
    old = as_registrations(run, before)
    new = [*old, *(record.registration for record in added)]
    methods = {r.key: r.method for r in (*before, *added)}
    function, keys = added[-1].function, [record.key for record in reversed(added)]
    answers: dict[tuple[Argument, ...], frozenset[tuple[Hashable, Hashable]]] = {}
    again = {one.cls.name: one.cls for one in run.classes() if one.cls.number}
    path = run.state.path
    for entry in trace_table.holding(run, function):
        if not trace_table.alive(run, entry):
            continue
        told: set[tuple[Argument, ...]] = set()
        for held in sorted(entry.held, key=lambda one: len(one.when - path)):
            if held.choice.function != function or held.arguments in told:
                continue
            told.add(held.arguments)
            asked = _made_anew(held, again)
            if asked not in answers:
                with counted(run, len(new)):
                    answers[asked] = changes(old, new, asked, run.state.oracle)
            pairs = answers[asked]
            differing = [pair for pair in pairs if pair[0] != pair[1]]
            if not differing:
                continue
            after = {pair[1] for pair in differing}
            outcome = next((key for key in keys if key in after), min(after, key=str))
            chosen: Any = outcome.value if isinstance(outcome, Nothing) else methods[outcome]  # type: ignore[index]
            why = _why_unsure(run, entry, held, pairs)
            if open_function:
                why = "it may have methods that are defined elsewhere"
            displaced = Displaced(entry.id, held.choice, chosen, not why, why)
            if displaced.restores:
                surely = all(pair[1] == outcome for pair in pairs) and not open_function
                displaced = replace(displaced, sure=surely, why="")
            yield displaced


def _why_unsure(
    run: Run, entry: CachedTrace, held: HeldChoice, pairs: Set[tuple[Hashable, Hashable]]
) -> str:
    """Why a choice may not change here, nothing where it surely does. `pairs` are the choices that
    plum may make before and after."""
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if len(differing) < len(pairs):
        return "whether the arguments fit is not known"
    if not trace_table.surely_alive(run, entry):
        return "whether that trace is made, and still kept here, hangs on a branch"
    if not held.when <= run.state.path:
        return "whether the trace comes to that call hangs on a branch"
    if entry.fresh is not None and held.asked not in entry.fresh:
        # What only a method asks for that was displaced itself is not asked for again.
        return "a new trace may not come to that call"
    if all(_may_be_same(*pair) for pair in differing):
        return "it may be the same method, defined again"
    return ""


def _made_anew(held: HeldChoice, again: Mapping[str, Cls]) -> tuple[Argument, ...]:
    """The arguments as a new trace makes them: of the class that goes by the name now. `again`:
    the classes that were defined again, each as it was last."""
    if not again or not any(held.made):
        return held.arguments
    return tuple(
        replace(one, cls=again.get(one.cls.name, one.cls))
        if made and isinstance(one, InstanceArg)
        else one
        for one, made in zip(held.arguments, held.made, strict=True)
    )


def _may_be_same(before: Hashable, after: Hashable) -> bool:
    """The same definition, run again, may be the same method."""
    if not isinstance(before, Key) or not isinstance(after, Key):
        return False
    return before.place == after.place and not (before.certain and after.certain)
