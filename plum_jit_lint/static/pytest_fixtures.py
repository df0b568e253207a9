"""Fixtures as pytest makes and ends them: what a test asks for, in which order, and how long each
lives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    bodies,
    class_lookup,
    definitions,
    generators,
    iteration,
    literals,
)
from plum_jit_lint.static.interpreter.inspection import function_under
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.library_values import FixtureValue
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Builtin,
    ClassValue,
    Descriptor,
    FunctionValue,
    Instance,
    ModuleValue,
    Scope,
    Value,
)
from plum_jit_lint.static.models.pytest import patches
from plum_jit_lint.static.modules import Module
from plum_jit_lint.syntax import nodes

SCOPES = ("session", "package", "module", "class", "function")
"""How long a fixture may live, the longest first, in which order they are made, too."""

Leave = Callable[[], object]

BUILT_IN: Mapping[str, tuple[str, Callable[[Run], tuple[Value, Leave]]]] = {
    "monkeypatch": ("function", patches.monkeypatch),
    "mocker": ("function", patches.mocker),
    "class_mocker": ("class", patches.mocker),
    "module_mocker": ("module", patches.mocker),
    "session_mocker": ("session", patches.mocker),
}
"""The fixtures of pytest and pytest-mock that do something to the program."""


@dataclass(frozen=True, slots=True)
class PlainFixture:
    """Functions that pytest calls by their names, as if they were a fixture that nobody need ask
    for."""

    scope: str
    begin: tuple[str, ...]
    end: tuple[str, ...]


OF_MODULE = {
    "setup of the module": PlainFixture(
        "module", ("setUpModule", "setup_module"), ("tearDownModule", "teardown_module")
    ),
    "setup of a function": PlainFixture("function", ("setup_function",), ("teardown_function",)),
}
OF_CLASS = {
    "setup of the class": PlainFixture(
        "class", ("setUpClass", "setup_class"), ("tearDownClass", "teardown_class")
    ),
    "setup of a method": PlainFixture("function", ("setup_method",), ("teardown_method",)),
}
PLAIN = {**OF_MODULE, **OF_CLASS}
_OF_FUNCTIONS = ("setup_function", "teardown_function")
_OF_METHODS = ("setup_method", "teardown_method")
_OF_CLASSES = ("setUpClass", "setup_class", "tearDownClass", "teardown_class")


@dataclass(frozen=True, slots=True)
class Fixture:
    """A fixture of the program: `scope` is how long it lives, `automatic` that nobody need ask
    for it. `takes_self`: it is a method of a test class."""

    name: str
    function: FunctionValue
    scope: str
    automatic: bool
    takes_self: bool
    params: Value | None
    """What it runs once for each of."""


def fixture_of(name: str, value: Value | None) -> Fixture | None:
    """The fixture that is bound to a name."""
    function = function_under(value.function) if isinstance(value, FixtureValue) else None
    if not isinstance(value, FixtureValue) or function is None:
        return None
    return Fixture(
        value.name or name,
        function,
        value.scope if value.scope in SCOPES else "function",
        value.autouse,
        function.scope.kind == "class",
        value.params,
    )


def _text(value: Value | None) -> str | None:
    text = None if value is None else literals.literal(value)
    return text if isinstance(text, str) else None


def fixtures_in(scope: Scope) -> Iterator[Fixture]:
    """The fixtures that a module or a class defines or imports, as pytest goes through them."""
    for name in sorted(scope.names):
        found = fixture_of(name, scope.own(name))
        if found is not None:
            yield found


@dataclass(slots=True)
class Session:
    """The fixtures that are alive while the tests of one module run. `homes` are the scopes that
    fixtures are looked for in, the nearest first."""

    run: Run
    module: Module
    homes: Sequence[Scope]
    made: dict[tuple[int, str], Value] = field(default_factory=dict)
    """Values of fixtures, by their functions and, of those of the library, by their names."""
    leaving: dict[str, list[tuple[tuple[int, str], Leave]]] = field(
        default_factory=lambda: {scope: [] for scope in SCOPES}
    )
    """What ends the fixtures that are alive, by how long they live, in the order of their setup."""
    params: dict[str, Value] = field(default_factory=dict)
    """`request.param`, by fixture, and the values that a test itself is parametrised with."""
    receiver: Instance | None = None
    used: tuple[Scope, ...] = ()

    # -- which fixtures a test uses ----------------------------------------------------------

    def look_in(self, cls: ClassValue | None, receiver: Instance | None) -> None:
        """The next test is a method of that class, or of none."""
        of_class = () if cls is None else tuple(one.scope for one in class_lookup.mro(cls))
        self.used = (*of_class, *self.homes)
        self.receiver = receiver

    def find(self, name: str, beyond: FunctionValue | None = None) -> Fixture | None:
        """The nearest fixture of that name; `beyond` one that asks for the one it overrides."""
        passed = beyond is None
        for scope in self.used:
            for found in fixtures_in(scope):
                if found.name != name:
                    continue
                if passed:
                    return found
                passed = found.function is beyond
        return None

    def wanted(self, names: Iterable[str]) -> list[str]:
        """The fixtures that a test uses which asks for `names`, those that nobody asks for first,
        and among them all those that live longest."""
        automatic: list[str] = []
        for scope in reversed(self.used):
            if scope is self.module.scope:
                automatic += OF_MODULE
            elif scope is self.used[0]:
                automatic += OF_CLASS
            automatic += (one.name for one in fixtures_in(scope) if one.automatic)
        closure = list(dict.fromkeys([*automatic, *names]))
        for name in closure:
            found = self.find(name)
            if found is not None:
                asked = [p.name for p in parameters_of(found.function, found.takes_self)]
                closure.extend(one for one in dict.fromkeys(asked) if one not in closure)
        return sorted(closure, key=lambda name: SCOPES.index(self._lives(name)))

    def _lives(self, name: str) -> str:
        found = self.find(name)
        if found is not None:
            return found.scope
        if name in PLAIN:
            return PLAIN[name].scope
        return BUILT_IN[name][0] if name in BUILT_IN else "function"

    def with_params(self, names: Iterable[str]) -> list[tuple[str, Value]]:
        """Those of the fixtures that run once for each of their `params`."""
        found = ((name, self.find(name)) for name in names)
        return [
            (name, one.params) for name, one in found if one is not None and one.params is not None
        ]

    # -- making them -------------------------------------------------------------------------

    def value(self, name: str, asker: FunctionValue | None = None) -> Value:
        """The value of a fixture, which is made when it is asked for first."""
        found = self.find(name)
        if found is not None and found.function is asker:
            found = self.find(name, beyond=asker)
        if found is None:
            return self._built_in(name)
        key = (id(found.function), name)
        if key not in self.made:
            self.made[key] = TOP
            self.made[key] = self._make(found, key)
        return self.made[key]

    def _built_in(self, name: str) -> Value:
        if name in self.params:
            return self.params[name]
        key = (0, name)
        if name in PLAIN and key not in self.made:
            self.made[key] = NONE
            self._call_plainly(PLAIN[name].begin)
            ends = partial(self._call_plainly, PLAIN[name].end)
            self.leaving[PLAIN[name].scope].append((key, ends))
        if name not in BUILT_IN:
            return TOP
        if key not in self.made:
            scope, make = BUILT_IN[name]
            self.made[key], leave = make(self.run)
            self.leaving[scope].append((key, leave))
        return self.made[key]

    def _call_plainly(self, names: Sequence[str]) -> None:
        """Calls the first of these functions that there is, with an argument if it takes one."""
        cls = None if self.receiver is None else self.receiver.cls
        for name in names:
            given: list[Value] = []
            if name in _OF_METHODS or name in _OF_CLASSES:
                found = None if cls is None else class_lookup.class_attribute(cls, name)
                owner = cls if name in _OF_CLASSES else self.receiver
                given = [] if owner is None else [owner]
            elif name in _OF_FUNCTIONS and cls is not None:
                continue
            else:
                found = self.module.scope.own(name)
            found = found.value if isinstance(found, Descriptor) else found
            function = None if found is None else function_under(found)
            if found is None or function is None:
                continue
            if len(definitions.positional_parameters(function)) > len(given):
                given.append(TOP)
            self.call(found, Arguments(given), _header(function))
            return

    def _make(self, fixture: Fixture, key: tuple[int, str]) -> Value:
        run, function = self.run, fixture.function
        given = self.arguments(function, fixture.takes_self, fixture)
        # It has no entry before those that it asked for: it ends before them.
        ends = self.leaving[fixture.scope]
        try:
            if is_generator(function):
                place = _header(function)
                scope = bodies.body_scope(run, function, given)
                run.called.add(id(function.definition))
                value, leave = generators.enter(run, function, scope, place)
                ends.append((key, leave))
                return value
            ends.append((key, lambda: None))
            return iteration.expand(run, run.call(function, given, _header(function)))
        except Raised:
            return TOP
        finally:
            run.now.frame.temporaries.clear()

    def arguments(
        self,
        function: FunctionValue,
        takes_self: bool,
        fixture: Fixture | None = None,
        without: int = 0,
    ) -> Arguments:
        """The arguments of a test or a fixture: each parameter names a fixture. The first
        `without` of them are given by others."""
        positional: list[Value] = [self.receiver] if takes_self and self.receiver else []
        keywords: dict[str, Value] = {}
        for parameter in parameters_of(function, takes_self)[without:]:
            name = parameter.name
            if name == "request":
                keywords[name] = self._request(fixture)
            else:
                keywords[name] = self.value(name, function)
        return Arguments(positional, keywords)

    def _request(self, fixture: Fixture | None) -> Builtin:
        """`request`, as a fixture or a test is given it."""
        scope = "function" if fixture is None else fixture.scope
        name = "" if fixture is None else fixture.name

        def ask(arguments: Arguments, place: Place) -> Value:
            wanted = _text(arguments.get(0, "argname"))
            return TOP if wanted is None else self.value(wanted)

        def add(arguments: Arguments, place: Place) -> Value:
            finalizer = arguments.get(0, "finalizer")
            if finalizer is not None:
                called = partial(self.run.call, finalizer, Arguments([]), place)
                self.leaving[scope].append(((0, ""), called))
            return NONE

        members: dict[str, Value] = {
            "param": self.params.get(name, TOP),
            "getfixturevalue": Builtin(ask),
            "addfinalizer": Builtin(add),
            "module": ModuleValue(self.module),
        }
        if self.receiver is not None:
            members |= {"instance": self.receiver, "cls": self.receiver.cls}
        return Builtin(lambda arguments, place: TOP, members)

    # -- ending them -------------------------------------------------------------------------

    def begin_round(self, params: Mapping[str, Value]) -> None:
        """The next test runs with these values: fixtures that were made for others end."""
        for name, value in params.items():
            old = self.params.get(name)
            if old is not None and old != value:
                self._end([key for key in self.made if key[1] == name])
        self.params = dict(params)

    def _end(self, keys: Sequence[tuple[int, str]]) -> None:
        for scope in reversed(SCOPES):
            ends = self.leaving[scope]
            for one in [one for one in reversed(ends) if one[0] in keys]:
                ends.remove(one)
                self._leave(one[1])
        for key in keys:
            self.made.pop(key, None)

    def add(self, scope: str, leave: Leave) -> None:
        """Something that is to happen when the fixtures of a scope end."""
        self.leaving[scope].append(((0, ""), leave))

    def end(self, scope: str) -> None:
        """What lives no longer than `scope` ends, the last first."""
        ends = self.leaving[scope]
        while ends:
            key, leave = ends.pop()
            self.made.pop(key, None)
            self._leave(leave)

    def _leave(self, leave: Leave) -> None:
        try:
            leave()
        except Raised:
            return
        finally:
            self.run.now.frame.temporaries.clear()

    def call(self, function: Value, arguments: Arguments, place: Place) -> None:
        """Calls a function of the program that pytest calls."""
        try:
            iteration.expand(self.run, self.run.call(function, arguments, place))
        except Raised:
            return
        finally:
            self.run.now.frame.temporaries.clear()


def parameters_of(function: FunctionValue, takes_self: bool) -> tuple[nodes.Parameter, ...]:
    """The parameters that name fixtures: those without a default."""
    named = tuple(
        one
        for one in function.definition.parameters
        if one.kind in ("positional", "keyword-only") and one.default is None
    )
    return named[1:] if takes_self else named


def is_generator(function: FunctionValue) -> bool:
    """Whether a function has a `yield`, so that a call of it gives a generator."""
    return isinstance(function.definition, nodes.FunctionDef) and function.definition.generator


def _header(function: FunctionValue) -> Place:
    return Place(function.scope.module.path, *function.definition.at)
