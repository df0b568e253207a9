"""The traces that JAX keeps: which there are, which a clearing reached, which nothing holds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from plum_jit_lint.events import Cleared, FunctionId, Registered, Stack, Traced, implied_by
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import TRACES_OF_A_STEP
from plum_jit_lint.static.interpreter import liveness
from plum_jit_lint.static.interpreter.effects import TraceRecorded
from plum_jit_lint.static.interpreter.records import CachedTrace
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import PlumFunction, Symbol


def keep(run: Run, entry: CachedTrace, event: Traced) -> None:
    """Keeps a trace that was made."""
    add(run, entry)
    run.emit(event)
    run.state.effects.append(TraceRecorded(entry, event))


def add(run: Run, entry: CachedTrace) -> None:
    """Adds to the table."""
    if entry.held:
        run.program.acts_at_once = True
    state = run.state
    state.entries[entry.id] = entry
    found_by = (entry.space, entry.identity)
    state.kept[found_by] = _with(state.kept.get(found_by, ()), entry.id)
    for held in entry.held:
        function = held.choice.function
        state.holding[function] = _with(state.holding.get(function, ()), entry.id)


def _with(ids: tuple[int, ...], one: int) -> tuple[int, ...]:
    return ids if one in ids else (*ids, one)


def found_by(run: Run, space: str, identity: Hashable) -> list[CachedTrace]:
    """The traces that one cache keeps of one function, oldest first."""
    return _of(run, run.state.kept.get((space, identity), ()))


def holding(run: Run, function: FunctionId) -> list[CachedTrace]:
    """The traces that hold a choice of a function, oldest first."""
    return _of(run, run.state.holding.get(function, ()))


def _of(run: Run, ids: Iterable[int]) -> list[CachedTrace]:
    """Of these traces those that are still there."""
    found = [run.state.entries[one] for one in ids if one in run.state.entries]
    run.takes(len(found) // TRACES_OF_A_STEP)
    return found


def alive(run: Run, entry: CachedTrace) -> bool:
    """Whether the trace may be kept here."""
    return run.possible(entry.when) and not implied_by(entry.cleared, run.state.path | entry.when)


def surely_alive(run: Run, entry: CachedTrace) -> bool:
    """Whether the trace is kept here, whatever branches were taken."""
    return entry.when <= run.state.path and not any(map(run.possible, entry.cleared))


def is_by_key(run: Run, entry: CachedTrace) -> bool:
    """Whether nothing but the keys of other traces decides whether the trace was made."""
    missing = entry.when - run.state.path
    return bool(missing) and not entry.cleared and run.branch_ids.ask_for_keys(missing)


def clear(run: Run, ids: Iterable[int] | None, place: Place) -> None:
    """Kept traces go: `ids`, or all that are not frozen. Other branches keep theirs."""
    chosen = None
    if ids is not None:
        chosen = tuple(sorted(one.id for one in _of(run, set(ids)) if not one.frozen))
    if chosen is None or chosen:
        mark_cleared(run, chosen)
        run.tell(Cleared(run.stack_at(place), run.state.path, chosen))


def mark_cleared(run: Run, ids: tuple[int, ...] | None) -> None:
    """Notes in the table that traces went in the branches that are taken."""
    entries = run.state.entries
    path = run.state.path
    run.takes(len(entries) // TRACES_OF_A_STEP)
    for entry in list(entries.values()):
        chosen = not entry.frozen and (ids is None or entry.id in ids)
        if chosen and not any(way <= path for way in entry.cleared):
            entries[entry.id] = replace(entry, cleared=(*entry.cleared, path))


def forget(run: Run, ids: Iterable[int], stack: Stack) -> set[int]:
    """Takes traces out whose functions nothing holds any more; which these are."""
    gone = _unheld(run, ids)
    if gone:
        run.emit(Cleared(stack, run.state.path, tuple(sorted(gone))))
        for entry_id in gone:
            del run.state.entries[entry_id]
    return gone


def gone_at_the_end(run: Run, place: Place) -> list[Cleared]:
    """What goes without being cleared, if the run ends here: traces of which a registration
    displaced a choice, and whose functions nothing holds."""
    displaced = {
        one.entry
        for event in run.state.events
        if isinstance(event, Registered)
        for one in event.displaced
    }
    gone = _unheld(run, displaced)
    return [Cleared(run.stack_at(place), run.state.path, tuple(sorted(gone)))] if gone else []


def _unheld(run: Run, ids: Iterable[int]) -> set[int]:
    """The traces of functions that nothing holds any more
    (`docs/facts.md#a-new-function-object-is-a-new-trace`). Asked only of traces that matter,
    since it takes a walk over all that is alive."""
    unsure = [entry for entry in _of(run, ids) if not _surely_held(entry)]
    if not unsure:
        return set()
    alive_values = liveness.reachable(run)
    return {entry.id for entry in unsure if id(entry.holder) not in alive_values}


def _surely_held(entry: CachedTrace) -> bool:
    # plum holds every function that it knows; other libraries hold theirs.
    return (
        entry.frozen
        or isinstance(entry.holder, PlumFunction | Symbol)
        or liveness.at_home(entry.holder)
    )
