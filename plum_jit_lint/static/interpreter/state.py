"""What an abstract run knows while it runs: methods, kept traces, where it is, what happened."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plum_jit_lint.dispatch.resolution import Nothing, Registration, changes
from plum_jit_lint.events import (
    SURELY,
    Cleared,
    Displaced,
    Event,
    FunctionId,
    PathCondition,
    Registered,
    Stack,
    Step,
    Traced,
    Used,
    covers,
    exclude_each_other,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import MOST_CALLS, MOST_RETRACES
from plum_jit_lint.static.interpreter import memory
from plum_jit_lint.static.interpreter.call_frames import CallFrame
from plum_jit_lint.static.interpreter.effects import (
    Addition,
    Effect,
    ImportEffect,
    RegisterEffect,
    SwitchEffect,
    TraceRecorded,
)
from plum_jit_lint.static.interpreter.inspection import all_reachable
from plum_jit_lint.static.interpreter.leaving import Catching, LoopEnds, Raised
from plum_jit_lint.static.interpreter.records import (
    CachedTrace,
    HeldChoice,
    Key,
    Record,
    TraceFrame,
)
from plum_jit_lint.static.interpreter.settings import JitSwitch
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    FunctionValue,
    Imported,
    Manager,
    PlumFunction,
    Scope,
    Symbol,
    Top,
    Typed,
    Union,
    Value,
)
from plum_jit_lint.static.types.hints import Argument, Cls, Hint, InstanceArg, ScalarArg
from plum_jit_lint.static.types.oracle import StaticOracle
from plum_jit_lint.syntax.nodes import Expression, Statement

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module
    from plum_jit_lint.static.program import Program


@dataclass(slots=True)
class Snapshot:
    """What a run knew at some point, to go back there. Of lists that only grow, the lengths."""

    tables: dict[FunctionId, tuple[Record, ...]]
    created: dict[FunctionId, tuple[str, ...] | None]
    entries: dict[int, CachedTrace]
    events: int
    effects: int
    path: PathCondition
    ran: set[str]
    pending_imports: list[ImportEffect | Record]
    overloads: dict[tuple[str, str], list[tuple[FunctionValue, PathCondition]]]
    contexts: dict[str, Hashable]
    oracle: StaticOracle
    switch: JitSwitch
    unloaded: dict[str, PathCondition]
    reloaded: dict[str, Module]
    replaced: dict[str, Value]
    rewritten: int


@dataclass(frozen=True, slots=True)
class Verbs:
    """What an interpreter does with code and values. Each part of it asks the run for the verbs,
    so that none of them has to know where the others stand."""

    evaluate: Callable[[Run, Scope, Expression], Value]
    execute: Callable[[Run, Scope, Sequence[Statement]], bool]
    call: Callable[[Run, Value, Arguments, Place], Value]
    get_attribute: Callable[[Run, Value, str, Place], Value]
    bind: Callable[[Run, Value, Value, Place], Value]


class Run:
    """The state of one abstract run. `muted`: only the result of what runs is asked for."""

    def __init__(self, program: Program, verbs: Verbs) -> None:
        self.program = program
        self._verbs = verbs
        self.muted = False
        self.events: list[Event] = []
        self.path: PathCondition = SURELY
        self.call_stack: list[CallFrame] = [CallFrame("the module", [])]
        self.open_traces: list[TraceFrame] = []
        self.tables: dict[FunctionId, tuple[Record, ...]] = {}
        self.created: dict[FunctionId, tuple[str, ...] | None] = {}
        self.entries: dict[int, CachedTrace] = {}
        self.holding: dict[FunctionId, dict[int, None]] = {}
        """Entries by the functions of which they hold a choice."""
        self.kept: dict[Hashable, list[int]] = {}
        """Entries by what the caches find them by."""
        self.defined: list[tuple[FunctionValue, Value]] = []
        self.called: set[int] = set()
        self.signatures: dict[int, tuple[FunctionValue, tuple[Hint, ...], Hint | None]] = {}
        """The types that plum has read off a function, by its `id`."""
        self.overloads: dict[tuple[str, str], list[tuple[FunctionValue, PathCondition]]] = {}
        self.ran: set[str] = set()
        """Names of the modules that have run."""
        self.seen: dict[Module, None] = {}
        """Modules that were imported, whether somebody has asked for what they did or not."""
        self.pending_imports: list[ImportEffect | Record] = []
        """Imports that nothing has asked for yet, and what was registered after them."""
        self.unloaded: dict[str, PathCondition] = {}
        """Modules that are no longer in `sys.modules`, and in which branches: an import runs them
        again."""
        self.reloaded: dict[str, Module] = {}
        """Modules that have run again, by their names, in place of what they were before."""
        self.replaced: dict[str, Value] = {}
        """What the program has put in place of other libraries' attributes, by qualified name."""
        self.started: list[Manager] = []
        """The patches that were started by `start()`."""
        self._rewritten: list[tuple[Scope, dict[str, Value]]] = []
        """Modules of other files that have run again, and the names that they had."""
        self.own: set[FunctionId] = set()
        self.effects: list[Effect] = []
        self.being_called: list[Hashable] = []
        """The keys of the calls that are being run, in which a call that comes again is no news."""
        self.calls_left = MOST_CALLS
        self.retraces_left = MOST_RETRACES
        self.version = 0
        """How often something was written or happened that a call may depend on."""
        self.summaries: dict[Hashable, tuple[Value, PathCondition]] = {}
        """Results of calls outside of traces, since the last change of anything."""
        self.arms_taken: list[tuple[int, Scope]] = []
        """The arms that are being run: what existed before, and whose names are set apart."""
        self.decorating: list[tuple[FunctionValue, Stack]] = []
        """The definitions whose decorators are being applied, and where they stand."""
        self.differentiating = 0
        """How many derivatives are being taken, one in another."""
        self.loops = 0
        """How many loops are being run, one in another."""
        self.switch = JitSwitch()
        self.contexts: dict[str, Hashable] = {}
        """The settings that are part of every trace's key here."""
        self._key_points: set[int] = set()
        self._points: dict[int, tuple[Value, int]] = {}
        """The branching points of tested values, by identity, and the values to keep them."""
        self.uncounted = 0
        """How many loops are being run of which not every round is, one in another: what is
        computed there is no number that the program has."""
        self.catching: list[Catching] = []
        """The blocks that are being run and take what is raised, one in another."""
        self.handling: list[Value] = []
        """The exceptions that are being handled, one while another."""
        self.ways: list[LoopEnds] = []
        """How each loop that is being run was left so far."""
        self.unknown_pytrees = False
        """Whether JAX was told of classes of which it is not known which they are."""
        self.oracle = StaticOracle()

    # -- the calls that are being run --------------------------------------------------------

    @property
    def frame(self) -> CallFrame:
        """The innermost call."""
        return self.call_stack[-1]

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.call_stack[-1].scopes[-1]

    @property
    def scopes(self) -> list[Scope]:
        """All scopes that are being run, the outermost first."""
        return [scope for frame in self.call_stack for scope in frame.scopes]

    @property
    def stack(self) -> list[Place]:
        """Where each call was made, the outermost first."""
        return [frame.place for frame in self.call_stack if frame.place is not None]

    @property
    def steps(self) -> list[Step]:
        """The same, with who made it."""
        return [frame.step for frame in self.call_stack if frame.step is not None]

    @property
    def active(self) -> list[FunctionValue]:
        """The functions that are being run."""
        return [frame.function for frame in self.call_stack if frame.function is not None]

    @contextmanager
    def inside(self, frame: CallFrame) -> Iterator[None]:
        """Runs a block as part of a call."""
        self.call_stack.append(frame)
        try:
            yield
        finally:
            self.call_stack.pop()

    # -- where the run is --------------------------------------------------------------------

    def new_point(self) -> int:
        """A branching point that no other branch shares."""
        return self.program.next_number()

    def new_key_point(self) -> int:
        """A branching point that asks whether a kept trace is found by its key."""
        point = self.new_point()
        self._key_points.add(point)
        return point

    def is_by_key(self, entry: CachedTrace) -> bool:
        """Whether nothing but the keys of other traces decides whether the trace was made."""
        missing = entry.when - self.path
        return bool(missing) and not entry.cleared and {p for p, _ in missing} <= self._key_points

    def point_of(self, value: Value) -> int | None:
        """The branching point of whoever tests `value`, of which nobody can change the truth: a
        number, a text, what a comparison gave. `None` for all else."""
        if value is TOP or not isinstance(value, Top | Typed):
            return None
        if isinstance(value, Typed) and not isinstance(value.argument, ScalarArg):
            return None
        return self._points.setdefault(id(value), (value, self.new_point()))[1]

    def arms(self, count: int) -> list[PathCondition]:
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
    def perhaps(self, *conditions: tuple[int, int]) -> Iterator[None]:
        """Runs a block that may not run: what it raises ends nothing but itself."""
        with self.under(*conditions), suppress(Raised):
            yield

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

    # -- verbs -------------------------------------------------------------------------------

    def evaluate(self, scope: Scope, expression: Expression) -> Value:
        """The value of an expression."""
        return self._verbs.evaluate(self, scope, expression)

    def execute(self, scope: Scope, body: Sequence[Statement]) -> bool:
        """Runs a block; whether control may come out at its end."""
        return self._verbs.execute(self, scope, body)

    def call(self, callee: Value, arguments: Arguments, place: Place) -> Value:
        """Calls a value; raises `Raised` where the program surely would."""
        return self._verbs.call(self, callee, arguments, place)

    def get_attribute(self, value: Value, name: str, place: Place) -> Value:
        """`value.name`."""
        return self._verbs.get_attribute(self, value, name, place)

    def bind(self, found: Value, receiver: Value, place: Place) -> Value:
        """What was found in a class, as an attribute of the receiver."""
        return self._verbs.bind(self, found, receiver, place)

    # -- settings ----------------------------------------------------------------------------

    def jit_off(self) -> bool | None:
        """Whether jit is switched off here, `None` where that is not known."""
        return self.switch.is_off(self.path)

    def trace_context(self) -> Hashable:
        """The part of a trace's key that no argument decides: the settings."""
        return (frozenset(self.contexts.items()), self.jit_off() is True)

    def hold_jit(self, off: frozenset[bool | None]) -> Callable[[], None]:
        """From here on jit is switched off or on, whatever the configuration says; what is
        returned ends it."""
        before = self.switch.held
        self.switch = self.switch.hold(self.path, off)
        self.changed()

        def leave() -> None:
            self.switch = replace(self.switch, held=before)
            self.changed()

        return leave

    def configure_jit(self, off: frozenset[bool | None]) -> None:
        """From here on the configuration says whether jit is switched off."""
        self.switch = self.switch.configure(self.path, off)
        self.changed()
        self.program.acts_at_once = True
        self.effects.append(SwitchEffect(off, self.path))

    def stack_at(self, place: Place) -> Stack:
        return (*self.stack, place)

    def possible(self, when: PathCondition) -> bool:
        return not exclude_each_other(when, self.path)

    def changed(self) -> None:
        """Something was written or happened: what calls gave before may not hold any more."""
        self.version += 1
        self.summaries.clear()

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
        self.effects.append(event)

    # -- going back --------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        return Snapshot(
            dict(self.tables),
            dict(self.created),
            dict(self.entries),
            len(self.events),
            len(self.effects),
            self.path,
            set(self.ran),
            list(self.pending_imports),
            {name: list(known) for name, known in self.overloads.items()},
            self.contexts,
            self.oracle,
            self.switch,
            dict(self.unloaded),
            dict(self.reloaded),
            dict(self.replaced),
            len(self._rewritten),
        )

    def restore(self, snapshot: Snapshot) -> None:
        self.tables = dict(snapshot.tables)
        self.created = dict(snapshot.created)
        self.entries = dict(snapshot.entries)
        del self.events[snapshot.events :]
        del self.effects[snapshot.effects :]
        self.path = snapshot.path
        self.ran = set(snapshot.ran)
        self.pending_imports = list(snapshot.pending_imports)
        self.overloads = {name: list(known) for name, known in snapshot.overloads.items()}
        self.contexts = snapshot.contexts
        self.oracle = snapshot.oracle
        self.switch = snapshot.switch
        self.unloaded = dict(snapshot.unloaded)
        self.reloaded = dict(snapshot.reloaded)
        self.replaced = dict(snapshot.replaced)
        self.put_back(snapshot.rewritten)
        self.changed()

    def remember(self) -> Callable[[], None]:
        """Notes all that can be written to; what is returned puts it back."""
        modules = [*self.program.modules(), *self.reloaded.values()]
        return memory.remember([*(module.scope for module in modules), *self.scopes])

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

    def register(self, added: Sequence[Addition], open_function: bool) -> tuple[Displaced, ...]:
        """Adds methods of one function in one go, and says which held choices that displaces."""
        for record, _ in added:
            self.create(record.function, record.first_parameters)
        displaced = self._register(added, open_function)
        for event in _with_displaced(added, displaced):
            self.emit(event)
        self.effects.append(RegisterEffect(tuple(added), open_function))
        return displaced

    def _register(self, added: Sequence[Addition], open_function: bool) -> tuple[Displaced, ...]:
        displaced: tuple[Displaced, ...] = ()
        record, event = added[-1]
        if self.holding.get(record.function):
            before = self.methods(record.function)
            records = [record for record, _ in added]
            displaced = tuple(self._displaced(records, before, open_function))
            gone = self._forget({one.entry for one in displaced}, event.stack)
            displaced = tuple(one for one in displaced if one.entry not in gone)
        for record, _ in added:
            self._add(record)
        return displaced

    def _add(self, record: Record) -> None:
        if self.pending_imports:
            self.pending_imports.append(record)
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

    def import_module(self, module: Module, place: Place | None) -> None:
        """An imported module runs where it is imported first, at no `place` where no statement
        asks for it. Its timeline was worked out when
        it was read; here it happens again, under the place of the import.

        As long as nothing is traced, what it registers displaces nothing, and is only looked at
        once somebody asks for a method. So a file costs what it does itself, and not what it
        imports.
        """
        self._see(module)
        if module.name in self.ran:
            return
        stack = () if place is None else self.stack_at(place)
        action = ImportEffect(module, stack, self.path)
        self.effects.append(action)
        if self.holding or module.acts_at_once():
            self.flush()
            self._import(action)
        elif action.module not in [
            a.module for a in self.pending_imports if isinstance(a, ImportEffect)
        ]:
            self.pending_imports.append(action)

    def _see(self, module: Module) -> None:
        pending = [module]
        while pending:
            module = pending.pop()
            if module not in self.seen:
                self.seen[module] = None
                pending.extend(a.module for a in module.effects if isinstance(a, ImportEffect))

    def classes(self) -> Iterator[ClassValue]:
        """The classes of the modules that were imported so far, and of this one. What was read
        for another file that is checked is not part of this program."""
        for module in (self.scopes[0].module, *self.seen):
            yield from module.classes

    def flush(self) -> None:
        """What was put off happens."""
        pending, self.pending_imports = self.pending_imports, []
        for action in pending:
            if isinstance(action, ImportEffect):
                self._import(action)
            else:
                self._add(action)

    def _import(self, action: ImportEffect) -> None:
        if action.module.name not in self.ran:
            self.ran.add(action.module.name)
            self._apply(action.module, action.stack, action.when)

    def _apply(self, module: Module, stack: Stack, when: PathCondition) -> None:
        for action in module.effects:
            match action:
                case ImportEffect():
                    below = (*stack, *action.stack)
                    self._import(replace(action, stack=below, when=when | action.when))
                case RegisterEffect(added, open_function):
                    moved = [_moved(one, stack, when) for one in added]
                    for record, _ in moved:
                        self.created.setdefault(record.function, record.first_parameters)
                    with self.under(*moved[-1][1].when):
                        displaced = self._register(moved, open_function)
                    for event in _with_displaced(moved, displaced) if displaced else ():
                        self.emit(event)
                case SwitchEffect(off):
                    self.switch = self.switch.configure(when | action.when | self.path, off)
                case TraceRecorded(entry) if self._keeps_nothing(entry):
                    continue
                case TraceRecorded(entry, event):
                    self._remember(replace(entry, when=when | entry.when))
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

    def _keeps_nothing(self, entry: CachedTrace) -> bool:
        """Whether a trace that an imported module makes is not kept, since jit is off here."""
        row = self.program.rows.get(entry.space)
        return self.jit_off() is True and (row is None or not row.keeps_without_jit)

    # -- modules that run again --------------------------------------------------------------

    def loaded(self, name: str) -> Module | None:
        """What `sys.modules` has under a name, as far as that is a module of the program."""
        self.flush()
        if name not in self.ran:
            return None
        found = (module for module in self.seen if module.name == name)
        return self.reloaded.get(name) or next(found, None)

    def load(self, name: str, module: Module) -> None:
        """`sys.modules[name] = module`."""
        self.flush()
        self.changed()
        self.unloaded.pop(name, None)
        self.ran.add(name)
        self.reloaded[name] = module
        self.seen[module] = None

    def unload(self, name: str) -> None:
        """`del sys.modules[name]`: from here on an import runs the module again."""
        module = self.loaded(name)
        if module is not None:
            self.look_imports_up(module)
            self.changed()
            self.ran.discard(name)
            self.unloaded[name] = self.path

    def rewriting(self, module: Module) -> None:
        """A module is to run again in its own names, which come back by `put_back`."""
        self.flush()
        self.look_imports_up(module)
        self.changed()
        self._rewritten.append((module.scope, dict(module.scope.names)))

    def put_back(self, count: int = 0) -> None:
        """All but the first `count` modules that ran again have the names that they had before:
        another file that is checked begins anew."""
        while len(self._rewritten) > count:
            scope, names = self._rewritten.pop()
            scope.names = names

    def look_imports_up(self, module: Module) -> None:
        """`from module import name` has bound what the name stood for then: whatever is not looked
        up yet is, before the module changes."""
        scopes = [one.scope for one in self.program.modules()]
        for scope in self.scopes:
            above: Scope | None = scope
            while above is not None:
                scopes.append(above)
                above = above.parent
        for scope in scopes:
            for name, value in list(scope.names.items()):
                if _is_imported_from(value, module.name):
                    scope.own(name)

    def _displaced(
        self, added: Sequence[Record], before: Sequence[Record], open_function: bool
    ) -> Iterator[Displaced]:
        # `changes` takes one object for one registration, so both sides share the old ones.
        old = self.as_registrations(before)
        new = [*old, *(record.registration for record in added)]
        methods = {r.key: r.method for r in (*before, *added)}
        function, keys = added[-1].function, [record.key for record in reversed(added)]
        answers: dict[tuple[Argument, ...], frozenset[tuple[Hashable, Hashable]]] = {}
        again = {one.cls.name: one.cls for one in self.classes() if one.cls.number}
        for entry in self._entries(self.holding.get(function, ())):
            if not self.alive(entry):
                continue
            told: set[tuple[Argument, ...]] = set()
            for held in sorted(entry.held, key=lambda one: len(one.when - self.path)):
                if held.choice.function != function or held.arguments in told:
                    continue
                told.add(held.arguments)
                asked = _made_anew(held, again)
                if asked not in answers:
                    answers[asked] = changes(old, new, asked, self.oracle)
                pairs = answers[asked]
                differing = [pair for pair in pairs if pair[0] != pair[1]]
                if not differing:
                    continue
                surely = len(differing) == len(pairs) and self.surely_alive(entry)
                surely = surely and held.when <= self.path
                # What only a method asks for that was displaced itself is not asked for again.
                surely = surely and (entry.fresh is None or held.asked in entry.fresh)
                surely = surely and not all(_may_be_same(*pair) for pair in differing)
                after = {pair[1] for pair in differing}
                outcome = next((key for key in keys if key in after), min(after, key=str))
                chosen: Any = outcome.value if isinstance(outcome, Nothing) else methods[outcome]  # type: ignore[index]
                displaced = Displaced(entry.id, held.choice, chosen, surely and not open_function)
                if displaced.restores:
                    surely = all(pair[1] == outcome for pair in pairs) and not open_function
                    displaced = replace(displaced, sure=surely)
                yield displaced

    # -- kept traces -------------------------------------------------------------------------

    def keep(self, entry: CachedTrace, event: Traced) -> None:
        """Keeps a trace that was made."""
        self.flush()
        self._remember(entry)
        self.emit(event)
        self.effects.append(TraceRecorded(entry, event))

    def _remember(self, entry: CachedTrace) -> None:
        if entry.held:
            self.program.acts_at_once = True
        self.entries[entry.id] = entry
        self.kept.setdefault((entry.space, entry.identity), []).append(entry.id)
        for held in entry.held:
            self.holding.setdefault(held.choice.function, {})[entry.id] = None

    def _entries(self, ids: Iterable[int]) -> Iterator[CachedTrace]:
        """Of these entries those that are still there, since going back takes some away."""
        return (self.entries[one] for one in list(ids) if one in self.entries)

    def entries_of(self, space: str, identity: Hashable) -> list[CachedTrace]:
        """The traces that one cache keeps of one function, oldest first."""
        return list(self._entries(dict.fromkeys(self.kept.get((space, identity), ()))))

    def new_entry_id(self) -> int:
        return self.program.next_number()

    def alive(self, entry: CachedTrace) -> bool:
        """Whether the trace may be kept here."""
        return self.possible(entry.when) and not covers(entry.cleared, self.path | entry.when)

    def surely_alive(self, entry: CachedTrace) -> bool:
        return entry.when <= self.path and not any(self.possible(c) for c in entry.cleared)

    def clear(self, ids: Iterable[int] | None, place: Place) -> None:
        """Kept traces go: `ids`, or all that are not frozen. Other branches keep theirs."""
        chosen = None
        if ids is not None:
            chosen = tuple(
                sorted(i for i in ids if i in self.entries and not self.entries[i].frozen)
            )
        if chosen is None or chosen:
            self._clear(chosen)
            self.tell(Cleared(self.stack_at(place), self.path, chosen))

    def _clear(self, ids: tuple[int, ...] | None) -> None:
        for entry in list(self.entries.values()):
            if not entry.frozen and (ids is None or entry.id in ids):
                self.entries[entry.id] = replace(entry, cleared=(*entry.cleared, self.path))

    def held_anywhere(self, value: Value) -> bool:
        """Whether something that is still there holds the value."""
        return _at_home(value) or id(value) in all_reachable(self.roots())

    def settle(self, place: Place) -> None:
        """The run ends: what a registration displaced is gone where nothing holds its function."""
        displaced = {
            one.entry
            for event in self.events
            if isinstance(event, Registered)
            for one in event.displaced
        }
        self._forget(displaced, self.stack_at(place))

    def _forget(self, ids: Iterable[int], stack: Stack) -> set[int]:
        """Traces of functions that nothing holds any more are gone
        (`docs/facts.md#a-new-function-object-is-a-new-trace`). Asked only of traces that matter,
        since it takes a walk over all that is alive."""
        unsure = [entry for entry in self._entries(ids) if not _surely_held(entry)]
        if not unsure:
            return set()
        alive = all_reachable(self.roots())
        gone = {entry.id for entry in unsure if id(entry.holder) not in alive}
        if gone:
            self.emit(Cleared(stack, self.path, tuple(sorted(gone))))
            for entry_id in gone:
                del self.entries[entry_id]
        return gone

    def roots(self) -> Iterator[Value]:
        seen: set[int] = set()
        for module in (*self.program.modules(), *self.reloaded.values()):
            yield from module.scope.names.values()
        yield from self.replaced.values()
        for scope in self.scopes:
            current: Scope | None = scope
            while current is not None and id(current) not in seen:
                seen.add(id(current))
                yield from current.names.values()
                current = current.parent
        for values in (x for one in self.call_stack for x in (one.returned, one.temporaries)):
            yield from values
        for records in self.tables.values():
            for record in records:
                yield record.body


def _moved(addition: Addition, stack: Stack, when: PathCondition) -> Addition:
    """An addition of a module that is imported at `stack`."""
    record, event = addition
    event = replace(event, stack=(*stack, *event.stack), when=when | event.when)
    return (replace(record, when=when | record.when) if when else record), event


def _with_displaced(
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


def _is_imported_from(value: Value, module: str) -> bool:
    several = value.alternatives if isinstance(value, Union) else (value,)
    return any(isinstance(one, Imported) and one.module == module for one in several)


def _may_be_same(before: Hashable, after: Hashable) -> bool:
    """The same definition, run again, may be the same method."""
    if not isinstance(before, Key) or not isinstance(after, Key):
        return False
    return before.place == after.place and not (before.certain and after.certain)


def _surely_held(entry: CachedTrace) -> bool:
    # plum holds every function that it knows; other libraries hold theirs.
    return entry.frozen or isinstance(entry.holder, PlumFunction | Symbol) or _at_home(entry.holder)


def _at_home(value: Value) -> bool:
    """Whether a function or method of a module is what is there under its name: most are."""
    if not isinstance(value, FunctionValue):
        return False
    scope: Scope | None = value.scope
    while scope is not None and scope.kind == "class":
        scope = scope.parent
    if scope is None or scope.kind != "module":
        return False
    here = value.scope.names.get(value.name)
    while here is not None and here is not value:
        here = getattr(here, "target", None)
    return here is value
