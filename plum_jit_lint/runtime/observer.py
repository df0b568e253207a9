"""The runtime observer: what plum and JAX do in this process, as events."""

from __future__ import annotations

import gc
import itertools
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from plum import Function

from plum_jit_lint.events import (
    SURELY,
    Choice,
    Cleared,
    Registered,
    Used,
)
from plum_jit_lint.runtime import arguments, frames, resolver_view
from plum_jit_lint.runtime.call_chain import add, between, chosen
from plum_jit_lint.runtime.displacing import Displacing, is_held
from plum_jit_lint.runtime.held import Key, OpenTrace, TraceEntry, TraceTable, below
from plum_jit_lint.runtime.methods import describe, made_anew, under
from plum_jit_lint.runtime.resolver_view import Pending
from plum_jit_lint.runtime.stagehooks import STALE
from plum_jit_lint.runtime.tables import Tables, types_of
from plum_jit_lint.runtime.tracehooks import OPEN
from plum_jit_lint.runtime.watcher import Counts, Watcher


@dataclass(frozen=True, slots=True)
class _Late:
    """A registration whose annotations name what is not there yet."""

    function: Function
    fresh: tuple[Pending, ...]
    site: frames.Site


@dataclass(slots=True, eq=False, weakref_slot=True)
class Observer:
    """Takes in what the hooks tell, and tells the watcher events.

    The lock guards what it knows; the watcher is told nothing while it is held.
    """

    watcher: Watcher
    counting: tuple[Counts, ...] = ()
    """The counts of all that watch, who began at different times."""
    open_traces: dict[int, OpenTrace] = field(default_factory=dict)
    _held: TraceTable = field(default_factory=TraceTable)
    _tables: Tables = field(default_factory=Tables)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _last: dict[int, int | None] = field(default_factory=dict)
    _lowered: weakref.WeakKeyDictionary[Any, TraceEntry] = field(
        default_factory=weakref.WeakKeyDictionary
    )
    _late: list[_Late] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _dirty: set[int] = field(default_factory=set)
    _slow: set[int] = field(default_factory=set)
    """Threads whose last trace was stale when it ended, and is to be used once only."""

    def reset(self) -> None:
        """Forgets what was seen so far: it was a rehearsal."""
        self._held = TraceTable()
        self._tables = Tables()
        self._late.clear()
        self._last.clear()
        self.counting = ()
        STALE.clear()

    # -- traces ----------------------------------------------------------------------------

    def opened(self, cache: str) -> OpenTrace:
        """A trace begins, perhaps."""
        opened = OpenTrace(next(self._numbers), cache, threading.get_ident() not in OPEN)
        self.open_traces[opened.number] = opened
        return opened

    def failed(self, opened: OpenTrace) -> None:
        """A trace that raised is not kept."""
        self.open_traces.pop(opened.number, None)
        if opened.stale:
            self.watcher.happened(Cleared((), SURELY, (opened.number,)))

    def finished(
        self, opened: OpenTrace, function: Any, given: Any, program: Any, frame: FrameType
    ) -> None:
        """A trace is kept, or was there before."""
        thread = threading.get_ident()
        known = self._held.of_program(program)
        if known is not None and known.number > opened.number:
            # One cached function handed on what another made for it just now: its own entry
            # lives on when that of the other is gone.
            known = None
        if known is None and opened.choices and not made_anew(function):
            self._sweep()
            with self._lock:
                entry = self._held.keep(opened, function, given, program)
                self.open_traces.pop(opened.number, None)
            for counts in self.counting:
                counts.traces += 1
            self._last[thread] = entry.number
            if opened.stale:
                self._dirty.add(thread)
            for outer in OPEN.get(thread, ()):
                outer.inner[entry.number] = None
            for outermost in OPEN.get(thread, [])[:1]:
                entry.outer[outermost.number] = outermost
            self.watcher.happened(entry.event)
            return
        self.open_traces.pop(opened.number, None)
        self._last[thread] = None if known is None else known.number
        if known is not None:
            self._use(known, frame)

    def program(self, of: Callable[[Any], Any], result: Any) -> Any:
        """The program in what a layer gave."""
        return of(result)

    def reused(self, program: Any, frame: FrameType) -> None:
        """A program came from a cache above JAX's trace cache."""
        known = self._held.of_program(program)
        if known is not None:
            self._use(known, frame)

    def renamed(self, program: Any) -> None:
        """The trace that finished last on this thread goes by `program`."""
        number = self._last.get(threading.get_ident())
        if number is not None and self._held.of_program(program) is None:
            with self._lock:
                self._held.name(number, program)

    def lowered(self, traced: Any, result: Any) -> None:
        """A program was lowered from a trace."""
        entry = self._held.of_program(traced.jaxpr)
        if entry is not None:
            with suppress(TypeError):
                self._lowered[result] = entry

    def compiled(self, source: Any, result: Any) -> None:
        """What was lowered was compiled for good."""
        entry = self._lowered.get(source)
        if entry is not None:
            with self._lock:
                frozen = self._held.freeze(entry, next(self._numbers), result)
            self.watcher.happened(frozen.event)

    def executed(self, compiled: Any, frame: FrameType) -> None:
        """What was compiled for good is called, under a trace or stale."""
        if threading.get_ident() not in OPEN:
            # Once is enough to know it.
            STALE.discard(id(compiled))
        self.reused(compiled, frame)

    def _use(self, entry: TraceEntry, frame: FrameType) -> None:
        traces: list[OpenTrace] = OPEN.get(threading.get_ident(), [])
        if traces:
            self._inherit(traces, entry, frame)
        else:
            entry.used_directly = True
        stack = () if traces else frames.stack_of(frames.user_frames(frame))
        self.watcher.happened(Used(entry.number, stack, SURELY, outermost=not traces))

    def _inherit(self, traces: Sequence[OpenTrace], entry: TraceEntry, frame: FrameType) -> None:
        """A trace that takes an inner one from the cache holds its choices."""
        if all(entry.number in opened.inner for opened in traces):
            return
        ways = between(frame, traces)
        for opened, (chain, stack) in zip(reversed(traces), ways, strict=False):
            opened.inner[entry.number] = None
            if opened.outermost:
                entry.outer[opened.number] = opened
            steps = frames.steps_of(chain)
            for key, choice in entry.choices.items():
                add(opened, key, below(steps, choice), chain, stack)

    def left(self) -> None:
        """A call into JAX is about to return to the program."""
        thread = threading.get_ident()
        if thread in self._dirty:
            self._dirty.discard(thread)
            if self.watcher.kept_stale():
                self._slow.add(thread)

    def fast(self) -> bool:
        """Whether the program of the last trace may be called without Python from now on."""
        thread = threading.get_ident()
        if thread in self._slow:
            self._slow.discard(thread)
            return False
        return True

    # -- choices ---------------------------------------------------------------------------

    def dispatched(
        self, function: Function, values: tuple[Any, ...], asked: bool, frame: FrameType
    ) -> None:
        """A call under a trace, just before plum chooses."""
        traces: list[OpenTrace] | None = OPEN.get(threading.get_ident())
        if not traces:
            return
        for counts in self.counting:
            counts.dispatches += 1
        if function._pending:
            try:
                function._resolve_pending_registrations()
            except Exception:
                return  # plum is about to raise it, too
        known = self._tables.known(function)
        if asked:
            given = arguments.asked(values)
        else:
            records = traces[0].records.setdefault(known.number, {})
            given = self._tables.record(function, values, records)
        key: Key = (known.number, given)
        if all(key in opened.choices for opened in traces):
            return
        held = chosen(function, known.id, values, asked)
        if held is None:
            return
        self._tables.catch_up(function)
        for opened, (chain, stack) in zip(reversed(traces), between(frame, traces), strict=False):
            choice = Choice(known.id, arguments.shown(given), held, frames.steps_of(chain))
            if not chain and opened.function is None and not opened.choices:
                opened.function = known.id
                opened.label = str(known.id)
            add(opened, key, choice, chain, stack)

    # -- registrations ---------------------------------------------------------------------

    def registered(self, function: Function, frame: FrameType) -> None:
        """Methods were appended to a function."""
        if self._late:
            self._decide_late()
        with self._lock:
            fresh = self._tables.fresh(function)
        if not fresh:
            return
        body = under(fresh[0][0])
        site = frames.Site.of(frame, None if body is None else body.__code__)
        for counts in self.counting:
            counts.registrations += 1
            counts.places.setdefault(site.path, set()).add(site.line)
        self._register(function, fresh, site)

    def _register(self, function: Function, fresh: Sequence[Pending], site: frames.Site) -> None:
        self._sweep()
        known = self._tables.known(function)
        opened = list(self.open_traces.values())
        if not is_held(known, self._held, opened):
            return
        with self._lock:
            try:
                added = self._tables.added(fresh)
            except resolver_view.Unresolved:
                self._late.append(_Late(function, tuple(fresh), site))
                return
            displacing = Displacing(self._tables, known, function, added, fresh)
            if not displacing.may_change(self._held, opened):
                return
            if self.watcher.at_once():
                gc.collect()
                self._held.drop(self._held.gone())
            displaced, holding = displacing.displaced(self._held, opened)
        if not displaced:
            return
        for counts in self.counting:
            counts.displacing += 1
        event = Registered(
            site.stack,
            SURELY,
            known.id,
            describe(known.id, fresh[0][0], types_of(added[0])),
            parameters=(),
            binds=None,
            scope="",
            jitted=False,
            displaced=tuple(displaced),
        )
        self.watcher.registered(event, holding)

    def _decide_late(self) -> None:
        """Asks again about registrations whose annotations were not there."""
        late, self._late = self._late, []
        for one in late:
            self._register(one.function, one.fresh, one.site)

    def deliver(self) -> None:
        """See `Watcher`."""
        __tracebackhide__ = True
        self.watcher.deliver()

    # -- clearing --------------------------------------------------------------------------

    def cleared(self) -> None:
        """`jax.clear_caches()`."""
        with self._lock:
            self._held.drop(self._held.clearable())
        self.watcher.happened(Cleared((), SURELY, None))

    def forgotten(self, function: Any, cache: str) -> None:
        """`clear_cache()` of a jitted function."""
        with self._lock:
            numbers = self._held.of_function(function, cache)
            self._held.drop(numbers)
        if numbers:
            self.watcher.happened(Cleared((), SURELY, tuple(numbers)))

    def _sweep(self) -> None:
        with self._lock:
            gone = self._held.gone()
            self._held.drop(gone)
        if gone:
            self.watcher.happened(Cleared((), SURELY, tuple(gone)))

    def settle(self) -> None:
        """Asks what can only be asked at the end: what is gone, what is late."""
        # What nothing can reach any more is nobody's concern.
        gc.collect()
        self._decide_late()
        self._sweep()
