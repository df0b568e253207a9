"""What an abstract run knows while it runs: methods, kept traces, where it is, what happened."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from plum_jit_lint.events import (
    SURELY,
    Choice,
    Cleared,
    Conditions,
    Displaced,
    Event,
    FunctionId,
    Method,
    Registered,
    Stack,
    Step,
    Traced,
    Used,
    covers,
    exclude_each_other,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.resolution import Nothing, Registration, changes
from plum_jit_lint.static.run.inspection import reachable
from plum_jit_lint.static.run.values import ClassValue, Func, PlumFunction, Scope, Symbol, Value
from plum_jit_lint.static.types.hints import Argument, Hint
from plum_jit_lint.static.types.oracle import StaticOracle

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module, Program

MOST_CALLS = 5_000
"""Function calls that one run follows; a program that makes more is cut there."""

DEEPEST_CALL = 60


class Raised(Exception):
    """The program surely raises here."""


class Exited(Raised):
    """The program ends here."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two registered methods the same one: the definition, and what it captures.
    `certain` is false where the source does not tell what that is."""

    place: Place | None
    captured: Hashable = ()
    certain: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A registration as the method table holds it. `body` is what a choice of it calls."""

    function: FunctionId
    registration: Registration[Hint]
    method: Method
    key: Key
    body: Value
    when: Conditions
    first_parameters: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Held:
    """A choice in a trace, with what it takes to ask for it again."""

    choice: Choice
    arguments: tuple[Argument, ...]
    when: Conditions = SURELY
    """Branches inside of the trace that it was made in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A kept trace."""

    id: int
    space: str
    identity: Hashable
    holder: Value
    """What has to be alive for the trace to be found again."""
    target: Value
    arguments: tuple[Argument, ...]
    statics: Hashable
    when: Conditions
    held: tuple[Held, ...]
    inner: tuple[int, ...]
    result: Value
    frozen: bool = False
    cleared: tuple[Conditions, ...] = ()
    """The branches in which it was cleared."""


@dataclass(slots=True)
class Frame:
    """A trace that is being made. `base` is the length of the call chain where it began."""

    base: int
    held: list[Held] = field(default_factory=list)
    inner: list[int] = field(default_factory=list)
    visited: dict[Hashable, tuple[Value, Conditions]] = field(default_factory=dict)
    told: set[Hashable] = field(default_factory=set)

    def add(self, held: Held) -> None:
        """Keeps a choice, once for each function, arguments and branch: the first way to it."""
        key = (held.choice.function, held.arguments, held.when)
        if key not in self.told:
            self.told.add(key)
            self.held.append(held)

    """Results of calls in this trace: a second call with the same types chooses nothing new."""


@dataclass(frozen=True, slots=True)
class Registering:
    """In a module's timeline: a method was added."""

    record: Record
    event: Registered
    open_function: bool


@dataclass(frozen=True, slots=True)
class Filling:
    """In a module's timeline: a trace was kept."""

    entry: Entry
    event: Traced


@dataclass(frozen=True, slots=True)
class Importing:
    """In a module's timeline: a module of the program was imported at `stack`."""

    module: Module
    stack: Stack
    when: Conditions


Action: TypeAlias = Registering | Filling | Used | Cleared | Importing
"""What a module does that is seen from outside. Places and conditions are as of the module."""


@dataclass(slots=True)
class Snapshot:
    tables: dict[FunctionId, tuple[Record, ...]]
    created: dict[FunctionId, tuple[str, ...] | None]
    entries: dict[int, Entry]
    events: int
    path: Conditions
    fresh: list[int]
    ran: set[str]
    deferred: list[Importing | Record]


class Run:
    """The state of one abstract run. `muted`: only the result of what runs is asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.muted = False
        self.events: list[Event] = []
        self.path: Conditions = SURELY
        self.stack: list[Place] = []
        self.steps: list[Step] = []
        self.callers: list[str] = ["the module"]
        self.frames: list[Frame] = []
        self.scopes: list[Scope] = []
        self.returned: list[list[Value]] = []
        self.yielded: list[list[Value]] = []
        self.temporaries: list[list[Value]] = [[]]
        self.tables: dict[FunctionId, tuple[Record, ...]] = {}
        self.created: dict[FunctionId, tuple[str, ...] | None] = {}
        self.entries: dict[int, Entry] = {}
        self.fresh: list[int] = []
        self.active: list[Func] = []
        self.defined: list[tuple[Func, Value]] = []
        self.called: set[int] = set()
        self.overloads: dict[tuple[str, str], list[Func]] = {}
        self.ran: set[str] = set()
        """Names of the modules that have run."""
        self.deferred: list[Importing | Record] = []
        """Imports that nothing has asked for yet, and what was registered after them."""
        self.own: set[FunctionId] = set()
        self.log: list[Action] = []
        self.calls_left = MOST_CALLS
        self.version = 0
        """How often something was written or happened that a call may depend on."""
        self.quiet: dict[Hashable, tuple[Value, Conditions]] = {}
        """Results of calls outside of traces, since the last change of anything."""
        self.arms_taken: list[tuple[int, Scope]] = []
        """The arms that are being run: what existed before, and whose names are set apart."""
        self.decorating: list[tuple[Func, Stack]] = []
        """The definitions whose decorators are being applied, and where they stand."""
        self.differentiating = 0
        """How many derivatives are being taken, one in another."""
        self.loops = 0
        """How many loops are being run, one in another."""
        self.jit_disabled = 0
        self.contexts: dict[str, Hashable] = {}
        """The settings that are part of every trace's key here."""
        self.leaving = ""
        """How the last block was left: `return`, `break` or `continue`."""
        self.oracle = StaticOracle()

    # -- where the run is --------------------------------------------------------------------

    def new_point(self) -> int:
        """A branching point that no other branch shares."""
        return self.program.next_number()

    def arms(self, count: int) -> list[Conditions]:
        """The conditions of `count` arms of which one is taken."""
        points = [self.new_point() for _ in range(count - 1)]
        found = [
            frozenset([*((point, 1) for point in points[:arm]), (points[arm], 0)])
            for arm in range(count - 1)
        ]
        return [*found, frozenset((point, 1) for point in points)]

    def is_weak(self, serial: int, scope: Scope | None = None) -> bool:
        """Whether a write to something that was made as number `serial` may not happen, since it
        stands in an arm that began later. The names of the arm's own scope are set apart."""
        return any(start > serial and own is not scope for start, own in self.arms_taken)

    @contextmanager
    def under(self, *conditions: tuple[int, int]) -> Iterator[None]:
        """Runs the block under further conditions, and forgets what it added to them."""
        before = self.path
        self.path = before | frozenset(conditions)
        try:
            yield
        finally:
            self.path = before

    @contextmanager
    def differentiate(self, takes_derivative: bool) -> Iterator[None]:
        """Runs the block under a transform; a derivative calls the rules that were given."""
        self.differentiating += takes_derivative
        try:
            yield
        finally:
            self.differentiating -= takes_derivative

    def set_context(self, setting: str, value: Hashable | None) -> Callable[[], None]:
        """From here on traces are kept under that setting; what is returned ends it."""
        before = self.contexts
        self.contexts = {name: one for name, one in before.items() if name != setting}
        if value is not None:
            self.contexts[setting] = value

        def leave() -> None:
            self.contexts = before

        return leave

    def stack_at(self, place: Place) -> Stack:
        return (*self.stack, place)

    def possible(self, when: Conditions) -> bool:
        return not exclude_each_other(when, self.path)

    def changed(self) -> None:
        """Something was written or happened: what calls gave before may not hold any more."""
        self.version += 1
        self.quiet.clear()

    def count_as(self, cls: ClassValue, above: ClassValue) -> None:
        """`above.register(cls)`: from here on objects of `cls` are instances of `above`."""
        cls.cls = replace(cls.cls, bases=(*cls.cls.bases, above.cls))
        self.oracle = StaticOracle()
        self.changed()

    def emit(self, event: Event) -> None:
        self.changed()
        if not self.muted:
            self.events.append(event)

    def tell(self, event: Used | Cleared) -> None:
        """Emits an event that a module's timeline keeps as it is."""
        self.emit(event)
        self.log.append(event)

    # -- going back --------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        return Snapshot(
            dict(self.tables),
            dict(self.created),
            dict(self.entries),
            len(self.events),
            self.path,
            list(self.fresh),
            set(self.ran),
            list(self.deferred),
        )

    def restore(self, snapshot: Snapshot) -> None:
        self.tables = dict(snapshot.tables)
        self.created = dict(snapshot.created)
        self.entries = dict(snapshot.entries)
        del self.events[snapshot.events :]
        self.path = snapshot.path
        self.fresh = list(snapshot.fresh)
        self.ran = set(snapshot.ran)
        self.deferred = list(snapshot.deferred)

    # -- methods -----------------------------------------------------------------------------

    def create(self, function: FunctionId, parameters: tuple[str, ...] | None) -> None:
        """Notes the first definition of a function, from which its signature is taken."""
        self.created.setdefault(function, parameters)
        self.own.add(function)

    def first_parameters(self, function: FunctionId) -> tuple[str, ...] | None:
        """The parameters of the function's first definition, `None` where it is not seen."""
        self.flush()
        return self.created.get(function)

    def methods(self, function: FunctionId) -> list[Record]:
        """The methods that may be there now."""
        self.flush()
        return [r for r in self.tables.get(function, ()) if self.possible(r.when)]

    def as_registrations(self, records: Iterable[Record]) -> list[Registration[Hint]]:
        return [
            replace(record.registration, present=True if record.when <= self.path else None)
            for record in records
        ]

    def register(self, record: Record, event: Registered, open_function: bool) -> None:
        """Adds a method, and says which held choices it displaces."""
        self.create(record.function, record.first_parameters)
        self.emit(replace(event, displaced=self._register(record, event, open_function)))
        self.log.append(Registering(record, event, open_function))

    def _register(
        self, record: Record, event: Registered, open_function: bool
    ) -> tuple[Displaced, ...]:
        displaced: tuple[Displaced, ...] = ()
        if self.entries:
            before = self.methods(record.function)
            displaced = tuple(self._displaced(record, before, open_function))
        self._add(record)
        return displaced

    def _add(self, record: Record) -> None:
        if self.deferred:
            self.deferred.append(record)
            return
        known = self.tables.get(record.function, ())
        # A loop that runs one definition again and again leaves one method.
        same = (record.key, record.registration.signatures, record.when)
        if not known or same != (
            known[-1].key,
            known[-1].registration.signatures,
            known[-1].when,
        ):
            self.tables[record.function] = (*known, record)

    # -- imports -----------------------------------------------------------------------------

    def import_module(self, module: Module, place: Place) -> None:
        """An imported module runs where it is imported first. Its timeline was worked out when
        it was read; here it happens again, under the place of the import.

        As long as nothing is traced, what it registers displaces nothing, and is only looked at
        once somebody asks for a method. So a file costs what it does itself, and not what it
        imports.
        """
        if module.name in self.ran:
            return
        action = Importing(module, self.stack_at(place), self.path)
        self.log.append(action)
        if self.entries or module.traces:
            self.flush()
            self._import(action)
        elif action.module not in [a.module for a in self.deferred if isinstance(a, Importing)]:
            self.deferred.append(action)

    def flush(self) -> None:
        """What was put off happens."""
        deferred, self.deferred = self.deferred, []
        for action in deferred:
            if isinstance(action, Importing):
                self._import(action)
            else:
                self._add(action)

    def _import(self, action: Importing) -> None:
        if action.module.name not in self.ran:
            self.ran.add(action.module.name)
            self._replay(action.module, action.stack, action.when)

    def _replay(self, module: Module, stack: Stack, when: Conditions) -> None:
        for action in module.log:
            match action:
                case Importing():
                    below = (*stack, *action.stack)
                    self._import(replace(action, stack=below, when=when | action.when))
                case Registering(record, event, open_function):
                    event = replace(event, stack=(*stack, *event.stack), when=when | event.when)
                    moved = replace(record, when=when | record.when) if when else record
                    self.created.setdefault(record.function, record.first_parameters)
                    with self.under(*event.when):
                        displaced = self._register(moved, event, open_function)
                    if displaced:
                        self.emit(replace(event, displaced=displaced))
                case Filling(entry, event):
                    self.entries[entry.id] = replace(entry, when=when | entry.when)
                    self.emit(replace(event, stack=(*stack, *event.stack), when=when | event.when))
                case Used():
                    self.emit(
                        replace(action, stack=(*stack, *action.stack), when=when | action.when)
                    )
                case Cleared():
                    with self.under(*(when | action.when)):
                        self._clear(action.entries)
                    self.emit(
                        replace(action, stack=(*stack, *action.stack), when=when | action.when)
                    )

    def _displaced(
        self, record: Record, before: Sequence[Record], open_function: bool
    ) -> Iterator[Displaced]:
        # `changes` takes one object for one registration, so both sides share the old ones.
        old = self.as_registrations(before)
        new = [*old, record.registration]
        methods = {r.key: r.method for r in (*before, record)}
        answers: dict[tuple[Argument, ...], frozenset[tuple[Hashable, Hashable]]] = {}
        for entry in self.entries.values():
            if not self.alive(entry):
                continue
            told: set[tuple[Argument, ...]] = set()
            for held in sorted(entry.held, key=lambda one: len(one.when - self.path)):
                if held.choice.function != record.function or held.arguments in told:
                    continue
                told.add(held.arguments)
                if held.arguments not in answers:
                    answers[held.arguments] = changes(old, new, held.arguments, self.oracle)
                pairs = answers[held.arguments]
                differing = [pair for pair in pairs if pair[0] != pair[1]]
                if not differing:
                    continue
                surely = len(differing) == len(pairs) and self.surely_alive(entry)
                surely = surely and held.when <= self.path
                surely = surely and not all(_may_be_same(*pair) for pair in differing)
                after = {pair[1] for pair in differing}
                becomes = record.key if record.key in after else min(after, key=str)
                yield Displaced(
                    entry.id,
                    held.choice,
                    becomes.value if isinstance(becomes, Nothing) else methods[becomes],  # type: ignore[index]
                    surely and not open_function,
                )

    # -- kept traces -------------------------------------------------------------------------

    def keep(self, entry: Entry, event: Traced) -> None:
        """Keeps a trace that was made."""
        self.flush()
        self.entries[entry.id] = entry
        self.fresh.append(entry.id)
        self.emit(event)
        self.log.append(Filling(entry, event))

    def new_entry_id(self) -> int:
        return self.program.next_number()

    def alive(self, entry: Entry) -> bool:
        """Whether the trace may be kept here."""
        return self.possible(entry.when) and not covers(entry.cleared, self.path)

    def surely_alive(self, entry: Entry) -> bool:
        return entry.when <= self.path and not any(self.possible(c) for c in entry.cleared)

    def clear(self, ids: Iterable[int] | None, place: Place) -> None:
        """Kept traces go: `ids`, or all that are not frozen. Other branches keep theirs."""
        chosen = None if ids is None else tuple(sorted(ids))
        if chosen is None or chosen:
            self._clear(chosen)
            self.tell(Cleared(self.stack_at(place), self.path, chosen))

    def _clear(self, ids: tuple[int, ...] | None) -> None:
        for entry in list(self.entries.values()):
            if not entry.frozen and (ids is None or entry.id in ids):
                self.entries[entry.id] = replace(entry, cleared=(*entry.cleared, self.path))

    def released(self, value: Value | None) -> None:
        """A name is bound anew or deleted: what it held may be gone with its traces."""
        if value is None or not self.entries:
            return
        for entry in self.entries.values():
            if entry.id not in self.fresh and reachable([value], entry.holder):
                self.fresh.append(entry.id)

    def held_anywhere(self, value: Value) -> bool:
        """Whether something that is still there holds the value."""
        return reachable(self.roots(), value)

    def forget_unreachable(self, place: Place) -> None:
        """Traces of functions that nothing holds any more are gone (FACTS, "Fresh")."""
        if not self.fresh:
            return
        still: list[int] = []
        gone: list[int] = []
        for entry_id in self.fresh:
            entry = self.entries.get(entry_id)
            if entry is None or entry.frozen:
                continue
            if isinstance(entry.holder, PlumFunction | Symbol):
                # plum holds every function that it knows; other libraries hold theirs.
                continue
            if any(entry.holder is v for v in entry_scope_values(entry.holder)):
                continue
            if reachable(self.roots(), entry.holder):
                still.append(entry_id)
            else:
                gone.append(entry_id)
        self.fresh = still
        if gone:
            self.tell(Cleared(self.stack_at(place), self.path, tuple(gone)))
            for entry_id in gone:
                del self.entries[entry_id]

    def roots(self) -> Iterator[Value]:
        seen: set[int] = set()
        for module in self.program.modules():
            yield from module.scope.names.values()
        for scope in self.scopes:
            current: Scope | None = scope
            while current is not None and id(current) not in seen:
                seen.add(id(current))
                yield from current.names.values()
                current = current.parent
        for values in (*self.returned, *self.temporaries):
            yield from values
        for records in self.tables.values():
            for record in records:
                yield record.body


def _may_be_same(before: Hashable, after: Hashable) -> bool:
    """The same definition, run again, may be the same method."""
    if not isinstance(before, Key) or not isinstance(after, Key):
        return False
    return before.place == after.place and not (before.certain and after.certain)


def entry_scope_values(holder: Value) -> Iterable[Value]:
    """What the module of a function holds under its name: most traced functions live there."""
    if isinstance(holder, Func):
        value = holder.scope.names.get(holder.name) if holder.scope.kind == "module" else None
        while value is not None:
            yield value
            value = getattr(value, "target", None)
