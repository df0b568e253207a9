"""What a new trace would ask for, once a choice that a kept one holds is not plum's any more.

The method that is chosen now may ask for others than the one that was compiled. What only the old
one asked for stays in the compiled code, but a registration there need not change anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from plum_jit_lint.events import Displaced
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import settings
from plum_jit_lint.static.interpreter.fork import Fork
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.records import Asked, CachedTrace, TraceFrame
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import FunctionValue, PlumFunction


def follow(run: Run, displaced: Iterable[Displaced], place: Place) -> None:
    """Works out what the traces would ask for of which a registration displaced a choice."""
    found = {one.entry for one in displaced if one.sure}
    # The inner ones first: an outer trace has a higher number.
    _renew(
        run, [run.state.entries[one] for one in sorted(found) if one in run.state.entries], place
    )


@contextmanager
def bound(function: FunctionValue, to: PlumFunction) -> Iterator[None]:
    """Runs the block with the name of a definition bound already."""
    names = function.scope.names
    before = names.get(function.name)
    names[function.name] = to
    try:
        yield
    finally:
        if before is None:
            names.pop(function.name)
        else:
            names[function.name] = before


def follow_inner(run: Run, entry: CachedTrace, place: Place) -> None:
    """A trace that takes a stale one from the cache is no new trace."""
    inner = [run.state.entries[one] for one in entry.inner if one in run.state.entries]
    if any(one.fresh is not None for one in inner):
        _renew(run, [entry], place)


def _renew(run: Run, entries: list[CachedTrace], place: Place) -> None:
    # What may or may not have happened before a trace stays as it was held.
    known = [
        entry
        for entry in entries
        if entry.context == settings.trace_context(run) and run.state.path <= entry.when
    ]
    if not known or run.now.open_traces or run.now.muted or run.retraces_left <= 0:
        return
    run.retraces_left -= 1
    fork = Fork(run)
    renewed: list[tuple[CachedTrace, frozenset[Asked] | None]] = []
    for entry in known:
        with fork:
            renewed.append((entry, _fresh(run, entry, place)))
    for entry, fresh in renewed:
        run.state.entries[entry.id] = replace(entry, fresh=fresh)


def _fresh(run: Run, entry: CachedTrace, place: Place) -> frozenset[Asked] | None:
    """What a new trace asks plum for, `None` where that cannot be told."""
    if entry.arguments is None:
        return None
    frame = TraceFrame(len(run.now.steps) + 1)
    run.state.entries = {}
    run.now.open_traces.append(frame)
    try:
        with run.now.mute(), run.under(*entry.when), suppress(Raised):
            run.call(entry.target, entry.arguments, place)
    finally:
        run.now.open_traces.pop()
    return frozenset(one.asked for one in frame.held) if run.calls_left > 0 else None
