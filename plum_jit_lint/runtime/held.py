"""What the traces of a process hold: kept ones, and those that are being made."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from plum import Function

from plum_jit_lint.events import SURELY, Choice, FunctionId, Stack, Step, Traced
from plum_jit_lint.findings import Place
from plum_jit_lint.runtime import frames
from plum_jit_lint.runtime.arguments import Argument, Records
from plum_jit_lint.runtime.renewed import classes_in
from plum_jit_lint.runtime.tables import LIVE_FOR_GOOD

Key: TypeAlias = tuple[int, tuple[Argument, ...]]
"""The number of a dispatched function, and abstract arguments."""


@dataclass(slots=True)
class OpenTrace:
    """A trace that is being made on some thread.

    `stack` and `label` are found out when the first choice is made: most traces are of JAX's
    own functions and choose nothing.
    """

    number: int
    cache: str
    """Which of JAX's caches it is to be kept in."""
    outermost: bool
    choices: dict[Key, Choice] = field(default_factory=dict)
    records: dict[int, Records] = field(default_factory=dict)
    """What the arguments of each dispatched function are recorded as."""
    inner: dict[int, None] = field(default_factory=dict)
    stack: Stack | None = None
    label: str = ""
    definition: Place | None = None
    function: FunctionId | None = None
    stale: bool = False
    """A registration has displaced one of its choices already."""

    def traced(self) -> Traced:
        """The event of the trace as it is by now."""
        # A thread may have called it straight away, and then no frame of the user's is above.
        own = self.definition or frames.UNKNOWN
        return Traced(
            self.number,
            self.stack or (own,),
            SURELY,
            self.label,
            self.definition,
            self.function,
            self.outermost,
            tuple(self.choices.values()),
            tuple(self.inner),
        )


@dataclass(slots=True)
class TraceEntry:
    """A kept trace that holds choices. Nothing of the program is kept alive by it."""

    number: int
    cache: str
    event: Traced
    choices: dict[Key, Choice]
    function: Callable[[], Any] | None
    passed: frozenset[int] | None
    """The classes (by identity) of the containers that it was given, `None` where that is not
    known: objects of any other class that it chose for were made on the way."""
    order: int
    """The inner trace comes before the outer one: they are kept in the order they end in."""
    used_directly: bool = False
    outer: dict[int, OpenTrace] = field(default_factory=dict)
    """The outermost traces that it was a part of, which may be gone by now."""


class TraceTable:
    """All kept traces that hold choices, found by number, by program and by dispatched function.

    What the garbage collector takes is only noted where it happens, in whatever thread that may
    be, and forgotten at the next occasion (`gone`).
    """

    def __init__(self) -> None:
        self.entries: dict[int, TraceEntry] = {}
        self._holding: dict[int, dict[int, set[tuple[Argument, ...]]]] = {}
        self._programs: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._dead: list[int] = []
        self._order = itertools.count()
        self._functions: dict[int, tuple[weakref.ref[Any], int]] = {}

    def keep(self, opened: OpenTrace, function: Any, given: Any, program: Any) -> TraceEntry:
        """Keeps a trace that is finished."""
        entry = TraceEntry(
            opened.number,
            opened.cache,
            self._as_kept(opened, function),
            opened.choices,
            self._note_end(function, opened.number),
            classes_in(given),
            next(self._order),
        )
        self._add(entry)
        self.name(entry.number, program)
        return entry

    def _as_kept(self, opened: OpenTrace, function: Any) -> Traced:
        # Who traces a jitted function once more (`jax.make_jaxpr(run)`) calls it.
        while type(function).__name__ == "PjitFunction":
            function = function.__wrapped__
        identity = self._identity_of(function)
        return replace(
            opened.traced(), traces_of=None if identity is None else (opened.cache, identity)
        )

    def _identity_of(self, function: Any) -> Hashable:
        """What tells a traced function from all others, `None` where nothing does."""
        if LIVE_FOR_GOOD and isinstance(function, Function):
            return Function, id(function)
        key, functions = id(function), self._functions
        known, number = functions.get(key, (None, 0))
        if known is None or known() is not function:
            number = next(self._order)
            try:
                ref = weakref.ref(function, lambda ref: _forget(functions, key, ref))
            except TypeError:
                return None
            functions[key] = ref, number
        return number

    def freeze(self, of: TraceEntry, number: int, compiled: Any) -> TraceEntry:
        """Keeps what was compiled from a trace for good: no clearing reaches it."""
        inner = (*of.event.inner, of.number)
        event = replace(of.event, entry=number, outermost=True, frozen=True, inner=inner)
        end = self._note_end(compiled, number)
        entry = TraceEntry(number, of.cache, event, of.choices, end, of.passed, next(self._order))
        self._add(entry)
        self.name(number, compiled)
        return entry

    def _add(self, entry: TraceEntry) -> None:
        self.entries[entry.number] = entry
        for function, arguments in entry.choices:
            holding = self._holding.setdefault(function, {})
            holding.setdefault(entry.number, set()).add(arguments)

    def _note_end(self, thing: Any, number: int) -> Callable[[], Any] | None:
        dead = self._dead
        if LIVE_FOR_GOOD and isinstance(thing, Function):
            return lambda: thing
        try:
            return weakref.ref(thing, lambda _: dead.append(number))
        except TypeError:
            return None

    def name(self, number: int, program: Any) -> None:
        """`program` is what the caches of JAX hold of the entry."""
        key, programs = id(program), self._programs
        try:
            ref = weakref.ref(program, lambda ref: _forget(programs, key, ref))
        except TypeError:
            return
        programs[key] = (ref, number)

    def of_program(self, program: Any) -> TraceEntry | None:
        """The entry whose program that is."""
        ref, number = self._programs.get(id(program), (None, 0))
        if ref is None or ref() is not program:
            return None
        return self.entries.get(number)

    def holding(self, function: int) -> dict[int, set[tuple[Argument, ...]]]:
        """The entries that hold choices of a dispatched function, with the arguments."""
        return self._holding.get(function, {})

    def of_function(self, function: Any, cache: str) -> list[int]:
        """The entries of a traced function in one cache, which `clear_cache()` clears: what
        `jax.checkpoint` keeps of it is in another."""
        return [
            number
            for number, entry in self.entries.items()
            if entry.cache == cache and not entry.event.frozen and entry.function is not None
            if entry.function() is function
        ]

    def clearable(self) -> list[int]:
        """The entries that `jax.clear_caches()` clears."""
        return [number for number, entry in self.entries.items() if not entry.event.frozen]

    def gone(self) -> list[int]:
        """The entries whose function the garbage collector took since this was asked last."""
        taken: set[int] = set()
        while self._dead:
            taken.add(self._dead.pop())
        return [number for number in taken if number in self.entries]

    def drop(self, numbers: Iterable[int]) -> None:
        """Forgets entries that are cleared or gone."""
        for number in numbers:
            entry = self.entries.pop(number, None)
            for function, _ in entry.choices if entry is not None else ():
                holding = self._holding.get(function)
                if holding is not None:
                    holding.pop(number, None)
                    if not holding:
                        del self._holding[function]


def _forget(
    known: dict[int, tuple[weakref.ref[Any], int]], key: int, ref: weakref.ref[Any]
) -> None:
    # The address may belong to something else by now.
    if key in known and known[key][0] is ref:
        del known[key]


def below(steps: tuple[Step, ...], choice: Choice) -> Choice:
    """A choice of an inner trace as the outer one holds it."""
    return replace(choice, chain=(*steps, *choice.chain))
